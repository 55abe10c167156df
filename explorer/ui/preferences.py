"""What a person chose about the program itself (not about a scene), remembered between starts."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from PySide6.QtCore import QObject, QSettings, Signal

from explorer.attention.cost import CPU, DEVICE_NAMES


class Preferences(QObject):
    """Typed access to QSettings; `changed(name)` after each change."""

    changed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, Any] = {}  # a font asks for the scale thousands of times a second

    def forget(self) -> None:
        """Read everything anew: the settings file may be another one now."""
        self._known.clear()

    def _get(self, name: str, default: Any, kind: type) -> Any:
        if name not in self._known:
            self._known[name] = self._read(name, default, kind)
        return self._known[name]

    @staticmethod
    def _read(name: str, default: Any, kind: type) -> Any:
        value = QSettings().value(f"preferences/{name}", default)
        try:
            return value in (True, "true", "True", 1) if kind is bool else kind(value)
        except (TypeError, ValueError):
            return default  # a settings file that somebody edited by hand must not stop the program

    def _set(self, name: str, value: Any) -> None:
        if value != self._known.get(name) or not QSettings().contains(f"preferences/{name}"):
            QSettings().setValue(f"preferences/{name}", value)
            self._known[name] = value
            self.changed.emit(name)

    @property
    def theme(self) -> str:
        """One of theme.MODES."""
        return str(self._get("theme", "system", str))

    @theme.setter
    def theme(self, value: str) -> None:
        self._set("theme", value)

    @property
    def scale(self) -> float:
        """The size of everything; 1.0 is the usual one."""
        return min(max(float(self._get("scale", 1.0, float)), 0.5), 4.0)

    @scale.setter
    def scale(self, value: float) -> None:
        self._set("scale", value)

    @property
    def decimals(self) -> int:
        """Decimals of the numbers in panels and the inspector, 0 to 6."""
        return min(max(int(self._get("decimals", 2, int)), 0), 6)

    @decimals.setter
    def decimals(self, value: int) -> None:
        self._set("decimals", value)

    @property
    def language(self) -> str:
        """A language code such as "en" or "zh_CN"; empty: the system's."""
        return str(self._get("language", "", str))

    @language.setter
    def language(self, value: str) -> None:
        self._set("language", value)

    @property
    def device(self) -> str:
        """Where large scenes are computed: CPU, or one of DEVICE_NAMES, which need not be there today."""
        device = str(self._get("device", CPU, str))
        return device if device in DEVICE_NAMES else CPU

    @device.setter
    def device(self, value: str) -> None:
        self._set("device", value)

    @property
    def hidden_panels(self) -> frozenset[str]:
        """Names of panel kinds that are switched off in the View menu."""
        return frozenset(filter(None, str(self._get("hidden_panels", "", str)).split(",")))

    @hidden_panels.setter
    def hidden_panels(self, names: frozenset[str]) -> None:
        self._set("hidden_panels", ",".join(sorted(names)))


@cache
def preferences() -> Preferences:
    """The one Preferences."""
    return Preferences()


def keep(values: Mapping[str, object]) -> None:
    """Have the settings remember these. What they know is not written again: the window waits for the disk."""
    settings = QSettings()
    for key, value in values.items():
        if settings.value(key) != value:
            settings.setValue(key, value)
