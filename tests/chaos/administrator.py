"""Ends transactions that Kafka has lost sight of, as docs tell an operator to: when a normaliser says that it waits for one (`normalize.stuck`), and only such as
are older than any that is still alive."""
import threading
import time

import wire
from broker import NORMALIZED, OPEN

LOOK_S = 2
HANGS_MS = 30000  # three times what a transaction may last
CALL_LASTS_S = 60


class Administrator(threading.Thread):
    """`ended` counts them, by partition."""

    def __init__(self, broker, normalizers, partitions):
        super().__init__(daemon=True)
        self.broker, self.partitions = broker, partitions
        self.read = {service: 0 for service in normalizers}
        self.called_at, self.ended, self.over = 0.0, 0, threading.Event()

    def is_called(self):
        for service, size in self.read.items():
            if b'normalize.stuck' in service.said(size):
                self.called_at = time.time()
            self.read[service] = service.log_size()
        return time.time() - self.called_at < CALL_LASTS_S

    def end_hanging(self):
        for topic in (OPEN, NORMALIZED):
            for transaction in wire.open_transactions(self.broker.port, topic, self.partitions):
                if time.time() * 1000 - transaction.last_ms > HANGS_MS:
                    wire.abort_transaction(self.broker.port, transaction)
                    self.ended += 1

    def run(self):
        while not self.over.wait(LOOK_S):
            try:
                if self.is_called():
                    self.end_hanging()
            except wire.WireError:
                pass  # the broker is away, or knows better: looked at again

    def stop(self):
        self.over.set()
        self.join()
