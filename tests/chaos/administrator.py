"""Ends transactions that Kafka has lost sight of, as the documents tell an operator to: in the open joins when a normaliser says that it waits for one
(`normalize.stuck`), in the events where they are."""
import threading
import time

import wire
from broker import NORMALIZED, OPEN

LOOK_S = 2
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

    def run(self):
        while not self.over.wait(LOOK_S):
            try:
                topics = [NORMALIZED, OPEN] if self.is_called() else [NORMALIZED]
                self.ended += wire.end_hanging(self.broker.port, topics, self.partitions)
            except wire.WireError:
                pass  # the broker is away, or knows better: looked at again

    def stop(self):
        self.over.set()
        self.join()
