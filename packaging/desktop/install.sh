#!/bin/sh
# Puts Attention Explorer into your menu and opens .attn.json files with it, for you alone; nothing is copied but
# a few small files. Run it again after moving the folder.   Undo: desktop/install.sh --remove
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
program=$(dirname -- "$here")/attention-explorer
share=${XDG_DATA_HOME:-"$HOME/.local/share"}
entry=$share/applications/attention-explorer.desktop
types=$share/mime/packages/attention-explorer.xml

update() { # a desktop that lacks one of these tools looks by itself
    if command -v update-mime-database >/dev/null; then update-mime-database "$share/mime"; fi
    if command -v update-desktop-database >/dev/null; then update-desktop-database -q "$share/applications"; fi
    if command -v gtk-update-icon-cache >/dev/null; then gtk-update-icon-cache -qtf "$share/icons/hicolor" || true; fi
}

if [ "${1-}" = --remove ]; then
    rm -f -- "$entry" "$types" "$share"/icons/hicolor/*/apps/attention-explorer.png \
        "$share/icons/hicolor/scalable/apps/attention-explorer.svg"
    update
    echo "Attention Explorer is out of your menu; its folder is as it was."
    exit
fi

mkdir -p -- "$share/applications" "$share/mime/packages" "$share/icons/hicolor/scalable/apps"
# In a desktop entry a path is quoted twice: once for the command, once for the file.
quoted=$(printf %s "$program" | sed -e 's/\\/\\\\\\\\/g' -e 's/["`$]/\\\\&/g' -e 's/%/%%/g')
while IFS= read -r line; do
    case $line in
        Exec=*) printf 'Exec="%s" %%f\n' "$quoted" ;;
        TryExec=*) ;;
        *) printf '%s\n' "$line" ;;
    esac
done <"$here/attention-explorer.desktop" >"$entry"
cp -- "$here/attention-explorer.xml" "$types"
cp -- "$here/icons/scalable.svg" "$share/icons/hicolor/scalable/apps/attention-explorer.svg"
for icon in "$here"/icons/*.png; do
    size=$(basename -- "$icon" .png)
    mkdir -p -- "$share/icons/hicolor/${size}x$size/apps"
    cp -- "$icon" "$share/icons/hicolor/${size}x$size/apps/attention-explorer.png"
done
update
if command -v xdg-mime >/dev/null; then
    xdg-mime default attention-explorer.desktop application/x-attention-explorer+json
fi
echo "Attention Explorer is in your menu, and .attn.json files open with it."
