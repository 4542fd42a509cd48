"""Chunked work equal to the whole: tiles with halos, cut at global positions.

Read `cutting` first; `chunks` chooses the sizes of tiles.
"""

from resizelab.tiles.cutting import Tile, Tiling, cut, lengths, resize, tiling, writable

__all__ = ["Tile", "Tiling", "cut", "lengths", "resize", "tiling", "writable"]
