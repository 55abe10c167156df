"""The program's icon in the forms that desktops want, painted from resources/icons/attention-explorer.svg."""

import os
import struct
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen" if os.name == "posix" else "")

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

LINUX = (16, 24, 32, 48, 64, 128, 256, 512)
WINDOWS = (16, 24, 32, 48, 64, 128, 256)
# https://en.wikipedia.org/wiki/Apple_Icon_Image_format: these kinds hold PNG
MACOS = {
    b"icp4": 16,
    b"icp5": 32,
    b"ic11": 32,
    b"ic12": 64,
    b"ic07": 128,
    b"ic08": 256,
    b"ic09": 512,
    b"ic10": 1024,
}


def make(svg: Path, folder: Path) -> None:
    """Write icon-<size>.png, icon.ico and icon.icns."""
    renderer = QSvgRenderer(str(svg))
    assert renderer.isValid(), svg
    sizes = sorted({*LINUX, *WINDOWS, *MACOS.values()})
    png = {size: painted(renderer, size) for size in sizes}
    folder.mkdir(parents=True, exist_ok=True)
    for size in LINUX:
        (folder / f"icon-{size}.png").write_bytes(png[size])
    (folder / "icon.ico").write_bytes(ico({size: png[size] for size in WINDOWS}))
    (folder / "icon.icns").write_bytes(icns({kind: png[size] for kind, size in MACOS.items()}))


def painted(renderer: QSvgRenderer, size: int) -> bytes:
    """A PNG of `size` pixels a side."""
    image = QImage(size, size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    png = QByteArray()
    buffer = QBuffer(png)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(png.data())


def ico(png: dict[int, bytes]) -> bytes:
    """A Windows icon of PNGs by their size."""
    entries, offset = b"", 6 + 16 * len(png)
    for size, data in png.items():
        side = size % 256  # a byte; 0 says 256
        entries += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(data), offset)
        offset += len(data)
    return struct.pack("<HHH", 0, 1, len(png)) + entries + b"".join(png.values())


def icns(png: dict[bytes, bytes]) -> bytes:
    """A macOS icon of PNGs by their kind."""
    entries = b"".join(kind + struct.pack(">I", 8 + len(data)) + data for kind, data in png.items())
    return b"icns" + struct.pack(">I", 8 + len(entries)) + entries
