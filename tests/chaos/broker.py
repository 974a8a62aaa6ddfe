"""A real Kafka broker of a test: started, killed and asked."""
import pathlib
import random
import socket
import subprocess
import time

import wire

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / 'tests/services/kafka'
GROUP = 'colline-normalize'
RAW, NORMALIZED, INVALID, OPEN = (f'impala-bloodline-{name}' for name in ('raw', 'normalized', 'invalid', 'open'))


def free_port():
    """The first of two in a row on which nobody listens."""
    for port in random.SystemRandom().sample(range(20000, 30000), 100):
        try:
            for p in (port, port + 1):
                with socket.socket() as s:
                    s.bind(('127.0.0.1', p))
            return port
        except OSError:
            continue
    raise SystemExit('no free port')


class Broker:
    """`kills` and `pauses` are counted."""

    def __init__(self, work, build):
        self.folder, self.build, self.port = work / 'kafka', build, free_port()
        self.kills = 0
        self.verb('start', self.port)

    def verb(self, verb, *more):
        subprocess.run([SCRIPT, verb, self.folder, *map(str, more)], check=True)

    def kill(self, away_s):
        self.verb('kill')
        time.sleep(away_s)
        self.verb('start')
        self.kills += 1

    def stop(self):
        self.verb('stop')

    def settings(self, partitions):
        return f'kafka:\n  brokers: ["127.0.0.1:{self.port}"]\n  partitions: {partitions}\n'

    def make_topics(self, colline, config):
        subprocess.run([colline, 'topics', 'create', '-c', config], check=True, stdout=subprocess.DEVNULL)

    def placed_records(self, topic):
        """Committed records of a topic, in the order of each partition: (partition, offset, value)."""
        with subprocess.Popen([self.build / 'tests/topic_dump', str(self.port), topic], stdout=subprocess.PIPE) as dump:
            for line in dump.stdout:
                partition, offset, _, value = line.rstrip(b'\n').split(b'\t', 3)
                yield partition, offset, value
        if dump.returncode != 0:
            raise RuntimeError(f'{topic} cannot be read')

    def values(self, topic):
        return (value for _, _, value in self.placed_records(topic))

    def in_transaction(self, instance):
        """Whether an instance of the normaliser has a transaction open, as the broker knows it; None while it does not tell."""
        try:
            return f'{GROUP}-{instance}-0' in wire.ongoing_transactions(self.port)
        except wire.WireError:
            return None

    def group(self):
        """(state, members) of the normalisers' group; None while the broker does not tell."""
        try:
            return wire.group_members(self.port, GROUP)
        except wire.WireError:
            return None

    def reset_group(self, partitions):
        """Its offsets to the earliest, which is 0; it must have no members."""
        wire.commit_offsets(self.port, GROUP, RAW, {partition: 0 for partition in range(partitions)})

    def force_compaction(self, topic):
        """Small segments that are compacted as soon as they are closed."""
        wire.configure_topic(self.port, topic, {'segment.ms': 3000, 'min.cleanable.dirty.ratio': 0.01, 'max.compaction.lag.ms': 3000})

    def compacted_partitions(self, topic):
        """How many partitions of a topic the cleaner has worked on."""
        try:
            lines = (self.folder / 'data/cleaner-offset-checkpoint').read_text().splitlines()[2:]
        except OSError:
            return 0
        return sum(line.rsplit(' ', 2)[0] == topic and int(line.rsplit(' ', 1)[1]) > 0 for line in lines)
