"""A few requests of Kafka's protocol, for what the tests ask of a broker and librdkafka does not offer. One broker, which coordinates all."""
import collections
import socket
import struct
import time

OFFSET_COMMIT, DESCRIBE_GROUPS, WRITE_MARKERS, DESCRIBE_PRODUCERS, ALTER_CONFIGS, LIST_TRANSACTIONS = 8, 15, 27, 61, 44, 66
TOPIC = 2  # kind of a resource
TIMEOUT_S = 10
HANGS_MS = 40000  # twice what a transaction may last and its end takes
NO_TAGS = b'\0'


class WireError(Exception):
    """The broker answered with an error, or not at all."""


def text(value):
    data = value.encode()
    return struct.pack('>h', len(data)) + data


def compact_text(value):
    data = value.encode()
    return bytes([len(data) + 1]) + data  # shorter than 127 bytes


def compact_array(items):
    items = list(items)
    return bytes([len(items) + 1]) + b''.join(items)


def array(items):
    items = list(items)
    return struct.pack('>i', len(items)) + b''.join(items)


class Answer:
    """Bytes that are read from front to back."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self, form):
        value, = struct.unpack_from('>' + form, self.data, self.at)
        self.at += struct.calcsize('>' + form)
        return value

    def bytes(self, length):
        self.at += max(length, 0)
        return self.data[self.at - max(length, 0):self.at]

    def text(self):
        return self.bytes(self.number('h')).decode()

    def length(self):
        """An unsigned number of variable size, as the newer requests have it."""
        value = shift = 0
        while True:
            byte = self.number('B')
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def compact_text(self):
        return self.bytes(self.length() - 1).decode()

    def skip_tags(self):
        for _ in range(self.length()):
            self.length()
            self.bytes(self.length())


def ask(port, request, version, body, tagged=False):
    """Sends one request over a connection of its own; the answer behind its header."""
    head = struct.pack('>hhi', request, version, 1) + text('chaos') + (b'\0' if tagged else b'')
    try:
        with socket.create_connection(('127.0.0.1', port), TIMEOUT_S) as connection:
            connection.sendall(struct.pack('>i', len(head) + len(body)) + head + body)
            with connection.makefile('rb') as stream:
                length, = struct.unpack('>i', stream.read(4))
                answer = Answer(stream.read(length))
    except (OSError, struct.error) as error:
        raise WireError(f'request {request}: {error}') from error
    answer.number('i')
    if tagged:
        answer.skip_tags()
    return answer


def check(code, what):
    if code != 0:
        raise WireError(f'{what}: error {code}')


def ongoing_transactions(port):
    """The transactional ids that have a transaction open."""
    answer = ask(port, LIST_TRANSACTIONS, 0, b'\x02\x08Ongoing' + b'\x01' + b'\0', tagged=True)
    answer.number('i')
    check(answer.number('h'), 'transactions')
    for _ in range(answer.length() - 1):
        answer.compact_text()
    found = set()
    for _ in range(answer.length() - 1):
        found.add(answer.compact_text())
        answer.number('q')
        answer.compact_text()
        answer.skip_tags()
    return found


Transaction = collections.namedtuple('Transaction', 'topic partition producer epoch coordinator_epoch last_ms')


def open_transactions(port, topic, partitions):
    """What is open in the partitions of a topic, as these know it, whatever their coordinator knows: Transactions."""
    numbers = compact_array(struct.pack('>i', partition) for partition in range(partitions))
    answer = ask(port, DESCRIBE_PRODUCERS, 0, compact_array([compact_text(topic) + numbers + NO_TAGS]) + NO_TAGS, tagged=True)
    found = []
    answer.number('i')
    for _ in range(answer.length() - 1):
        answer.compact_text()
        for _ in range(answer.length() - 1):
            partition = answer.number('i')
            check(answer.number('h'), f'producers of {topic}/{partition}')
            answer.compact_text()
            for _ in range(answer.length() - 1):
                producer, epoch = answer.number('q'), answer.number('i')
                answer.number('i')
                last_ms, coordinator_epoch, start = answer.number('q'), answer.number('i'), answer.number('q')
                answer.skip_tags()
                if start >= 0:
                    found.append(Transaction(topic, partition, producer, epoch, coordinator_epoch, last_ms))
            answer.skip_tags()
        answer.skip_tags()
    return found


def abort_transaction(port, transaction):
    """As an administrator ends one that nobody else does (`kafka-transactions.sh abort`)."""
    place = compact_array([compact_text(transaction.topic) + compact_array([struct.pack('>i', transaction.partition)]) + NO_TAGS])
    marker = struct.pack('>qhb', transaction.producer, transaction.epoch, 0) + place + struct.pack('>i', max(transaction.coordinator_epoch, 0)) + NO_TAGS
    answer = ask(port, WRITE_MARKERS, 1, compact_array([marker]) + NO_TAGS, tagged=True)
    for _ in range(answer.length() - 1):
        answer.number('q')
        for _ in range(answer.length() - 1):
            answer.compact_text()
            for _ in range(answer.length() - 1):
                answer.number('i')
                check(answer.number('h'), f'the end of {transaction}')
                answer.skip_tags()
            answer.skip_tags()
        answer.skip_tags()


def end_hanging(port, topics, partitions):
    """Ends what is older than any transaction that is still alive; gives how many."""
    ended = 0
    for topic in topics:
        for transaction in open_transactions(port, topic, partitions):
            if time.time() * 1000 - transaction.last_ms > HANGS_MS:
                abort_transaction(port, transaction)
                ended += 1
    return ended


def group_members(port, group):
    """(state, number of members) of a consumer group."""
    answer = ask(port, DESCRIBE_GROUPS, 0, array([text(group)]))
    answer.number('i')
    check(answer.number('h'), group)
    answer.text()
    state = answer.text()
    answer.text()
    answer.text()
    return state, answer.number('i')


def commit_offsets(port, group, topic, offsets):
    """For a group without members, as an operator resets it: {partition: offset}."""
    parts = array(struct.pack('>iq', partition, offset) + struct.pack('>h', -1) for partition, offset in offsets.items())
    body = text(group) + struct.pack('>i', -1) + text('') + struct.pack('>q', -1) + array([text(topic) + parts])
    answer = ask(port, OFFSET_COMMIT, 2, body)
    for _ in range(answer.number('i')):
        answer.text()
        for _ in range(answer.number('i')):
            answer.number('i')
            check(answer.number('h'), f'offsets of {group}')


def configure_topic(port, topic, settings):
    set_to = b'\0'
    entries = array(text(name) + set_to + text(str(value)) for name, value in settings.items())
    answer = ask(port, ALTER_CONFIGS, 0, array([struct.pack('>b', TOPIC) + text(topic) + entries]) + b'\0')
    answer.number('i')
    for _ in range(answer.number('i')):
        check(answer.number('h'), f'settings of {topic}')
        answer.bytes(answer.number('h'))
        answer.number('b')
        answer.text()
