"""The events that a state.db holds, one line of JSON each, in the order in which they came; run with its path it prints them."""
import ctypes
import sqlite3
import sys

ZSTD = ctypes.CDLL('libzstd.so.1')
ZSTD.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
ZSTD.ZSTD_decompress.restype = ctypes.c_size_t


def unpack(packed):
    size = ZSTD.ZSTD_getFrameContentSize(packed, ctypes.c_size_t(len(packed)))
    text = ctypes.create_string_buffer(size)
    if ZSTD.ZSTD_decompress(text, ctypes.c_size_t(size), packed, ctypes.c_size_t(len(packed))) != size:
        raise ValueError('a row of events is damaged')
    return text.raw


def state_events(path):
    with sqlite3.connect('file:%s?mode=ro' % path, uri=True, timeout=10) as db:
        rows = [packed for packed, in db.execute('select packed from event_pack order by last')]
    return [line.decode() for packed in rows for line in unpack(packed).split(b'\n')[:-1]]


if __name__ == '__main__':
    print(*state_events(sys.argv[1]), sep='\n')
