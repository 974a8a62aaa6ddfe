"""Draws the benchmark's pictures as SVG, with nothing but text: no library is needed to make or to read them.

`growth_svg` gives one small log-log panel a shape, with the line of linear growth through its last point;
`bars_svg` gives horizontal bars on a log scale.
"""
import math
from xml.sax.saxutils import escape

INK, FAINT, MAIN, OTHER = '#222222', '#bbbbbb', '#1565a0', '#b0643c'
HEAD = ('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" '
        'font-family="sans-serif" font-size="11">\n<rect width="100%%" height="100%%" fill="white"/>\n')


def text(x, y, words, anchor='start', size=11, color=INK):
    return '<text x="%.1f" y="%.1f" text-anchor="%s" font-size="%d" fill="%s">%s</text>\n' % (
        x, y, anchor, size, color, escape(str(words)))


def line(x1, y1, x2, y2, color=FAINT, dash=''):
    return '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"%s/>\n' % (
        x1, y1, x2, y2, color, ' stroke-dasharray="%s"' % dash if dash else '')


def duration(ns):
    """A duration in the unit that suits it."""
    for unit, size in (('s', 1e9), ('ms', 1e6), ('µs', 1e3)):
        if ns >= size:
            return '%.3g %s' % (ns / size, unit)
    return '%.3g ns' % ns


class LogScale:
    """Maps values on a log scale to [start, end] of the page."""

    def __init__(self, values, start, end):
        self.low, self.high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
        self.high = max(self.high, self.low + 1)
        self.start, self.end = start, end

    def at(self, value):
        part = (math.log10(value) - self.low) / (self.high - self.low)
        return self.start + min(max(part, 0), 1) * (self.end - self.start)

    def ticks(self):
        return [10 ** e for e in range(self.low, self.high + 1)]


def panel(left, top, width, height, title, points):
    """One shape: `points` are (size, nanoseconds)."""
    x = LogScale([size for size, _ in points], left + 52, left + width - 26)
    y = LogScale([ns for _, ns in points], top + height - 24, top + 26)
    out = text(left + 52, top + 14, title, size=12)
    for tick in x.ticks():
        out += line(x.at(tick), y.start, x.at(tick), y.end) + text(x.at(tick), y.start + 14, '{:,}'.format(tick), 'middle', 9)
    for tick in y.ticks():
        out += line(x.start, y.at(tick), x.end, y.at(tick)) + text(x.start - 4, y.at(tick) + 3, duration(tick), 'end', 9)
    (first, _), (last, slowest) = points[0], points[-1]
    out += line(x.at(first), y.at(slowest * first / last), x.at(last), y.at(slowest), OTHER, '4 3')
    path = ' '.join('%.1f,%.1f' % (x.at(size), y.at(ns)) for size, ns in points)
    out += '<polyline points="%s" fill="none" stroke="%s" stroke-width="1.6"/>\n' % (path, MAIN)
    return out + ''.join('<circle cx="%.1f" cy="%.1f" r="2.4" fill="%s"/>\n' % (x.at(s), y.at(ns), MAIN) for s, ns in points)


def growth_svg(series, columns=3):
    """`series` is [(title, [(size, nanoseconds)])], sizes rising."""
    width, height, top = 300, 190, 30
    rows = math.ceil(len(series) / columns)
    size = (columns * width, rows * height + top)
    out = HEAD % (size + size)
    out += text(12, 20, 'SQL to lineage: time by size (log-log); dashed: linear growth through the largest size', size=13)
    for i, (title, points) in enumerate(series):
        out += panel(i % columns * width, top + i // columns * height, width, height, title, points)
    return out + '</svg>\n'


def bars_svg(title, rows):
    """`rows` is [(label, nanoseconds, ours)]; shown on one log scale."""
    size = (760, 50 + 26 * len(rows) + 20)
    scale = LogScale([ns for _, ns, _ in rows], 250, 690)
    out = HEAD % (size + size) + text(12, 22, title, size=13)
    for tick in scale.ticks():
        out += line(scale.at(tick), 38, scale.at(tick), size[1] - 24) + text(scale.at(tick), size[1] - 10, duration(tick), 'middle', 9)
    for i, (label, ns, ours) in enumerate(rows):
        y = 44 + 26 * i
        out += '<rect x="%.1f" y="%d" width="%.1f" height="17" fill="%s"/>\n' % (
            scale.start, y, max(scale.at(ns) - scale.start, 1), MAIN if ours else OTHER)
        out += text(242, y + 13, label, 'end') + text(scale.at(ns) + 5, y + 13, duration(ns))
    return out + '</svg>\n'
