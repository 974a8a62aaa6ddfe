"""The spool of `colline capture` as its operator meets it: the broker away until the limit is reached, a disk that takes no more, files that were
damaged. One capture, one real broker, one log of numbered queries; the raw topic is judged: every record there, once, in order."""
import collections
import contextlib
import json
import random
import resource
import time

from broker import RAW, Broker
from services import Service, settings

LINE = '[INFO] 2026-03-15 14:22:33,456 QueryId: {number:08x}-0000-4000-8000-000000000000 User: etl Sql: select {number} from ods.s{filler}\n'
SOURCE = '  - {{ name: h1, kind: daemon-log, cluster: c1, host: h1, interval: 100ms, from_beginning: true, paths: ["{path}"] }}\n'
COUNT = 5000
PARTITIONS = 4
DISK_BYTES = 400000  # what a file may have while the disk is full
WAIT_S = 60


class SpoolChaos:
    """Three troubles, one after the other, over the same broker."""

    def __init__(self, options, work):
        self.options, self.work, self.colline = options, work, options.build / 'colline'
        self.broker = Broker(work, options.build)
        self.random = random.Random(options.seed)
        self.log, self.written = work / 'impalad.INFO', 0
        self.log.touch()
        self.capture, self.wrong = None, []
        self.config = work / 'colline.yaml'

    def configure(self, limits):
        more = self.broker.settings(PARTITIONS) + f'limits: {{ in_flight: 500, {limits} }}\n'
        self.config.write_text(settings(self.work, 'data', [SOURCE.format(path=self.log)], 5, more))

    def start(self):
        self.capture = Service('capture', [self.colline, 'capture', '-c', self.config], self.work)

    def write(self):
        with open(self.log, 'a') as log:
            for number in range(self.written, self.written + COUNT):
                log.write(LINE.format(number=number, filler='x' * (number % 200)))
            log.write('[INFO] 2026-01-01 00:00:00,000 the end\n')
        self.written += COUNT

    def position(self):
        try:
            return json.loads((self.work / 'data/positions.json').read_text())['files'][0]['offset']
        except (OSError, IndexError, ValueError):
            return -1

    def all_is_read(self):
        return self.position() >= self.log.stat().st_size

    def wait_for(self, what, is_so):
        until = time.time() + WAIT_S
        while not is_so():
            if time.time() > until or not self.capture.runs():
                self.wrong.append(f'{what}: it does not come')
                return False
            time.sleep(0.1)
        return True

    def wait_for_words(self, words, since):
        return self.wait_for(words, lambda: words.encode() in self.capture.said(since))

    def say_once(self, words, since):
        count = self.capture.said(since).count(words.encode())
        if count != 1:
            self.wrong.append(f'"{words}" was said {count} times')

    def stands_still(self):
        """Whether nothing is read for a while though there is more; a position is saved up to a second later."""
        time.sleep(1.5)
        before = self.position()
        time.sleep(2)
        if self.position() != before or self.all_is_read():
            self.wrong.append('reading does not stop')

    def spooled_bytes(self):
        """Of all files; one may be removed while it is looked at."""
        sizes = []
        for file in (self.work / 'data/spool').glob('*.spool'):
            with contextlib.suppress(FileNotFoundError):
                sizes.append(file.stat().st_size)
        return sum(sizes)

    def read_topic(self):
        """(numbers that are missing, how many came more than once, how many after later ones of their partition)"""
        seen, last, back = collections.Counter(), {}, 0
        for partition, _, value in self.broker.placed_records(RAW):
            number = int(json.loads(value)['query_id'][:8], 16)
            back += number < last.get(partition, -1)
            last[partition] = number
            seen[number] += 1
        return sorted(set(range(self.written)) - seen.keys()), sum(count > 1 for count in seen.values()), back

    def arrived(self, but=0):
        return self.wait_for('all records', lambda: self.all_is_read() and self.spooled_bytes() == 0 and len(self.read_topic()[0]) <= but)

    def nothing_is_missing(self, what):
        """Nor there twice, nor out of order."""
        self.arrived()
        missing, doubled, back = self.read_topic()
        if missing or doubled or back:
            self.wrong.append(f'{what}: {len(missing)} records are missing, {doubled} came more than once, {back} after later ones')

    def until_the_limit(self):
        since = self.capture.log_size()
        self.broker.verb('kill')
        self.write()
        self.wait_for_words('the spool is full', since)
        self.stands_still()
        held = self.spooled_bytes()
        if held > 1000000:
            self.wrong.append(f'the spool holds {held} bytes')
        self.broker.verb('start')
        self.nothing_is_missing('after the limit')
        self.say_once('the spool is full', since)
        return {'bytes_at_the_limit': held}

    def until_the_disk_is_full(self):
        since = self.capture.log_size()
        self.broker.verb('kill')
        resource.prlimit(self.capture.process.pid, resource.RLIMIT_FSIZE, (DISK_BYTES, resource.RLIM_INFINITY))
        self.write()
        self.wait_for_words('the spool cannot be written, reading stops', since)
        self.stands_still()
        held = self.spooled_bytes()
        resource.prlimit(self.capture.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        self.wait_for_words('the spool can be written again', since)
        self.broker.verb('start')
        self.nothing_is_missing('after the disk was full')
        self.say_once('the spool cannot be written', since)
        return {'bytes_on_the_full_disk': held}

    def with_damage(self):
        """One file is corrupted in its middle, and the last one ends with half a record, as a crash leaves it."""
        self.broker.verb('kill')
        self.write()
        self.wait_for('all records in the spool', self.all_is_read)
        since = self.capture.log_size()
        self.capture.kill(0)
        files = sorted((self.work / 'data/spool').glob('*.spool'))
        damaged = files[len(files) // 2]
        with open(damaged, 'r+b') as file:
            file.seek(damaged.stat().st_size // 2)
            file.write(self.random.randbytes(40))
        with open(files[-1], 'ab') as file:
            file.write(files[-1].read_bytes()[:50])
        self.broker.verb('start')
        self.start()
        self.wait_for_words(f'{damaged.name} is damaged: bytes', since)
        self.wait_for_words(f'{files[-1].name} ends at byte', since)
        self.arrived(but=2)
        missing = self.read_topic()[0]  # what was sent just before the kill may come again
        if not 1 <= len(missing) <= 2:
            self.wrong.append(f'40 bytes were damaged and {len(missing)} records are missing')
        self.say_once('is damaged: bytes', since)
        self.say_once(f'{len(missing)} records are lost', since)
        return {'records_in_the_damaged_place': len(missing), 'spool_files': len(files)}

    def run(self):
        figures = {}
        self.configure('spool: 1MB, spool_segment: 64KiB')
        self.broker.make_topics(self.colline, self.config)
        self.start()
        self.wait_for('the first look', lambda: self.position() == 0)
        figures |= self.until_the_limit()
        self.configure('spool: 1GB, spool_segment: 1MiB')
        self.capture.stop()
        self.start()
        figures |= self.until_the_disk_is_full()
        figures |= self.with_damage()
        status = self.capture.stop()
        if status != 0:
            self.wrong.append(f'capture ended with {status}')
        return {'records': self.written, **figures}, self.wrong

    def close(self):
        if self.capture is not None and self.capture.runs():
            self.capture.process.kill()
            self.capture.process.wait()
        self.broker.stop()
