"""Three captures, three normalisers and a real broker, all of them killed; what stands in the normalised topic is judged.

Beside the kills at random moments: normalisers are stopped in the midst of a transaction, as seen by the broker, until others have taken over,
and killed then, or woken, when they must be refused; the open joins are compacted all the while; the group's offsets are reset once.
"""
import collections
import random
import signal
import threading
import time

import wire
from administrator import Administrator
from broker import INVALID, NORMALIZED, OPEN, Broker
from judge import Judge, settle
from logs import Log, Writer
from services import Service, Supervisor, end_all, settings
from workload import HOSTS, Workload

PARTITIONS = 12
NORMALIZERS = ('n1', 'n2', 'n3')
CATCH_S = 100  # to find an instance with a transaction open
MOVED_S = 100  # until the group has moved on without a member, or is whole again
SETTLE_S = 600


def wait_until(is_so):
    until = time.time() + MOVED_S
    while time.time() < until:
        if is_so():
            return True
        time.sleep(0.1)
    return False


class Trouble(threading.Thread):
    """What goes wrong beside random kills, one after the other, in a thread of its own."""

    def __init__(self, options, broker, normalizers):
        super().__init__()
        self.options, self.broker, self.normalizers = options, broker, normalizers
        self.random = random.Random(options.seed + 1)
        self.counts = collections.Counter()
        self.failure = None

    def plan(self):
        """(moment as a share of the whole time, what to do)"""
        stops = [self.kill_in_transaction, self.wake_when_group_moved, self.wake_when_timed_out]
        count = self.options.broker_kills
        plan = [((i + 0.6) / (count + 0.4), self.kill_broker) for i in range(count)]
        plan += [((i + 0.3) / self.options.stops, stops[i % len(stops)]) for i in range(self.options.stops)]
        plan.append((0.55, self.reset_offsets))
        return sorted(plan, key=lambda entry: entry[0])

    def run(self):
        start = time.time()
        try:
            for share, act in self.plan():
                time.sleep(max(0.0, start + share * self.options.seconds - time.time()))
                act()
        except Exception as error:  # pylint: disable=broad-except
            self.failure = error

    def kill_broker(self):
        self.broker.kill(self.random.uniform(0, 4))

    def stop_in_transaction(self, service):
        """Stops it at a moment when the broker knows of its open transaction; false when no such moment came."""
        until = time.time() + CATCH_S
        while time.time() < until:
            self.mind_all(service)
            if service.runs():
                service.signal(signal.SIGSTOP)
                if all(self.broker.in_transaction(service.name) for _ in range(2)):
                    return True
                service.signal(signal.SIGCONT)
            else:
                service.mind()
            time.sleep(self.random.uniform(0.001, 0.03))
        return False

    def with_stopped(self, act):
        """Nobody else kills any of them meanwhile. All are members at first: the broker tells only how many there are, and one that was killed just before would be
        taken for the one that is stopped."""
        service = self.random.choice(self.normalizers)
        for each in self.normalizers:
            each.held.acquire()
        try:
            if self.wait_until(self.group_is_whole) and self.stop_in_transaction(service):
                act(service)
            else:
                self.counts['not_caught'] += 1
        finally:
            for each in self.normalizers:
                each.held.release()

    def mind_all(self, but=None):
        for service in self.normalizers:
            if service is not but:
                service.mind()

    def wait_until(self, is_so, but=None):
        """While all of them are minded here, but one."""
        def is_so_now():
            self.mind_all(but)
            return is_so()
        return wait_until(is_so_now)

    def group_is_whole(self):
        return self.broker.group() == ('Stable', len(self.normalizers))

    def group_has_moved(self):
        return self.broker.group() == ('Stable', len(self.normalizers) - 1)

    def kill_in_transaction(self):
        def act(service):
            service.kill(0)
            moved = self.wait_until(self.group_has_moved, but=service)
            self.counts['killed_in_transaction_and_taken_over' if moved else 'not_taken_over'] += 1
        self.with_stopped(act)

    def wake(self, service, moved):
        """A worker that slept through its own replacement must be told so: by an error of its transaction, or that its partitions are lost."""
        before = service.log_size()
        service.signal(signal.SIGCONT)
        told = self.wait_until(lambda: any(word in service.said(before) for word in (b'kafka.transaction', b': lost: ')), but=service)
        self.counts['woken_and_refused' if moved and told else 'not_refused'] += 1

    def wake_when_group_moved(self):
        """Before the broker ends the transaction: the group's generation refuses the worker."""
        self.with_stopped(lambda service: self.wake(service, self.wait_until(self.group_has_moved, but=service)))

    def wake_when_timed_out(self):
        """After the broker ended the transaction: the producer's epoch refuses the worker."""
        def is_over(service):
            return self.group_has_moved() and self.broker.in_transaction(service.name) is False
        self.with_stopped(lambda service: self.wake(service, self.wait_until(lambda: is_over(service), but=service)))

    def reset_offsets(self):
        for service in self.normalizers:
            service.held.acquire()
        try:
            for service in self.normalizers:
                service.stop_for_a_while()
            if not wait_until(lambda: self.broker.group() == ('Empty', 0)):
                raise wire.WireError('the group does not become empty')
            self.broker.reset_group(PARTITIONS)
            self.counts['offset_resets'] += 1
        finally:
            for service in self.normalizers:
                service.held.release()


class KafkaChaos:
    """One run; `result` gives figures and what was wrong."""

    def __init__(self, options, work):
        self.options, self.work, self.colline = options, work, options.build / 'colline'
        self.workload = Workload(options.seed, options.queries)
        self.broker = Broker(work, options.build)
        self.services, self.captures, self.normalizers = [], [], []
        self.killed_with_transaction = 0

    def configure(self, name, logs):
        path = self.work / f'{name}.yaml'
        path.write_text(settings(self.work, f'data-{name}', [log.source() for log in logs], self.options.window, self.broker.settings(PARTITIONS)))
        return path

    def start(self):
        logs = [Log(host, self.work / 'logs' / host, self.work / f'data-{host}' / 'positions.json') for host in HOSTS]
        for log in logs:
            self.captures.append(Service(f'capture-{log.host}', [self.colline, 'capture', '-c', self.configure(log.host, [log])], self.work))
            self.services.append(self.captures[-1])
        config = self.configure('normalize', [])
        for name in NORMALIZERS:
            self.normalizers.append(Service(name, [self.colline, 'normalize', '-c', config], self.work, {'COLLINE_INSTANCE': name}))
            self.services.append(self.normalizers[-1])
        while not all(log.known() for log in logs):
            time.sleep(0.05)  # what is rotated away before the first look is not to be found
        return Writer(self.workload, logs, self.options.seconds)

    def kill(self, service, away_s):
        """Of a normaliser it is noted whether it had a transaction open, as far as the broker can be asked."""
        if service in self.normalizers:
            service.signal(signal.SIGSTOP)
            self.killed_with_transaction += self.broker.in_transaction(service.name) is True
        service.kill(away_s)

    def judge(self, seen):
        judge = Judge(self.workload, seen)
        for value in self.broker.values(NORMALIZED):
            judge.take(value)
        return judge.verdict()

    def run(self):
        self.broker.make_topics(self.colline, self.configure('topics', []))
        self.broker.force_compaction(OPEN)
        writer = self.start()
        began = time.time()
        supervisor = Supervisor(self.services, self.options.seed, self.options.kills, self.options.seconds, self.kill)
        trouble = Trouble(self.options, self.broker, self.normalizers)
        administrator = Administrator(self.broker, self.normalizers, PARTITIONS)
        trouble.start()
        administrator.start()
        try:
            writer.write_all(lambda: supervisor.failure or trouble.failure, trouble.is_alive)
            trouble.join()
            supervisor.finish_kills()
            written = time.time() - began
            settle(lambda: self.judge(writer.seen), SETTLE_S, self.options.window)
        finally:
            trouble.join()
            administrator.stop()
            supervisor.end()
        if trouble.failure is not None:
            raise trouble.failure
        figures, wrong = self.result(writer, trouble, written, time.time() - began - written)
        return figures | {'hanging_transactions_ended': administrator.ended}, wrong

    def stop(self):
        """What was not right with the processes: only a normaliser may end by itself, with status 3, after a fatal error of Kafka."""
        statuses = {service.name: service.stop() for service in self.services}
        wrong = [f'{name} ended with {status}' for name, status in statuses.items() if status != 0]
        return wrong + [f'{service.name} ended by itself with {status}' for service in self.services for status in service.ends
                        if status != 3 or service in self.captures]

    def result(self, writer, trouble, written, settled):
        wrong = self.stop()
        figures, differences = self.judge(writer.seen)
        invalid = [value.decode(errors='replace') for value in self.broker.values(INVALID)]
        compacted = self.broker.compacted_partitions(OPEN)
        if compacted == 0:
            wrong.append('the open joins were not compacted')
        wrong += [f'{name}: {count}' for name, count in trouble.counts.items() if name.startswith('not_')]
        wrong += differences + [f'invalid: {value[:300]}' for value in invalid]
        return {'queries': len(writer.seen), 'lines': writer.lines, **figures, 'invalid': len(invalid), 'broker_kills': self.broker.kills,
                'capture_kills': sum(service.kills for service in self.captures), 'normalizer_kills': sum(s.kills for s in self.normalizers),
                'normalizer_kills_seen_in_transaction': self.killed_with_transaction,
                'killed_in_transaction_and_taken_over': trouble.counts['killed_in_transaction_and_taken_over'],
                'woken_and_refused': trouble.counts['woken_and_refused'],
                'normalizers_ended_by_themselves': sum(sum(s.ends.values()) for s in self.normalizers),
                'offset_resets': trouble.counts['offset_resets'], 'compacted_partitions': compacted,
                'rotations': sum(log.rotations for log in writer.logs.values()), 'seconds_written': round(written, 1),
                'seconds_until_settled': round(settled, 1)}, wrong

    def close(self):
        end_all(self.services)
        self.broker.stop()
