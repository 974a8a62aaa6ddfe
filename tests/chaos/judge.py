"""Compares what came with what must come: every (query, revision) once, in order, without gaps, and the last one as expected."""
import json
import time

from workload import facts

QUIET_S = 60  # when nothing new came for so long after the last window, nothing will
VARYING = {'revision', 'processing_time', 'sql', 'fingerprint', 'lineage', 'problems', 'error'}  # looked at apart


class Judge:
    """Takes the events of a run one by one; `seen` is what was written: query id → workload.Seen."""

    def __init__(self, workload, seen):
        self.workload, self.seen = workload, seen
        self.revisions = {}  # query id → [revisions as they came]
        self.last = {}  # query id → what is wrong with its last event
        self.shapes, self.fingerprints = {}, {}
        self.events = 0

    def take(self, value):
        event = json.loads(value)
        query = event['query_id']
        self.events += 1
        revisions = self.revisions.setdefault(query, [])
        revisions.append(event['revision'])
        if event['revision'] >= max(revisions):
            self.last[query] = self.differences(query, event)

    def differences(self, query, event):
        seen = self.seen.get(query)
        if seen is None:
            return ['was never written']
        expected = self.workload.expected(query, seen)
        found = [f'{name} is {event.get(name)!r}, not {expected.get(name)!r}' for name in (expected.keys() | event.keys()) - VARYING
                 if event.get(name) != expected.get(name)]
        if event.get('sql') != expected.get('sql'):
            found.append(f'sql is {event.get("sql")!r}')
        if sorted(problem['code'] for problem in event.get('problems', [])) != expected.get('problems', []):
            found.append(f'problems are {event.get("problems")!r}')
        if ('error' in event) != (expected['status'] == 'ERROR' and 'memory' in self.workload.failure(seen.number)[0]):
            found.append(f'error is {event.get("error")!r}')
        return found + self.lineage_differences(seen.number, event)

    def lineage_differences(self, number, event):
        expected, lineage = self.workload.expected_lineage(number), event.get('lineage')
        if (expected is None) != (lineage is None):
            return [f'lineage is {lineage!r}']
        found = []
        if lineage is not None and facts(lineage) != expected:
            found.append(f'lineage says {facts(lineage)!r}, not {expected!r}')
        if 'sql' not in event:
            return found
        shape, fingerprint = self.workload.shape(number), event['fingerprint']
        if self.shapes.setdefault(shape, fingerprint) != fingerprint or self.fingerprints.setdefault(fingerprint, shape) != shape:
            found.append(f'fingerprint is {fingerprint!r}, others of its shape have {self.shapes[shape]!r}')
        return found

    def verdict(self):
        """(figures, texts of what is wrong)"""
        due = {query for query, seen in self.seen.items() if not self.workload.never_ends(seen.number)}
        missing = due - self.revisions.keys()
        doubled = [query for query, revisions in self.revisions.items() if len(set(revisions)) != len(revisions)]
        gaps = [query for query, revisions in self.revisions.items() if set(revisions) != set(range(1, max(revisions) + 1))]
        unordered = [query for query, revisions in self.revisions.items() if sorted(revisions) != revisions]
        unasked = [query for query in self.revisions if query not in due]
        wrong = {query: differences for query, differences in self.last.items() if differences and query in due}
        texts = [f'{query}: {what}' for what, queries in (('is missing', missing), ('a revision came twice', doubled), ('has a gap', gaps),
                                                         ('revisions fall', unordered), ('has no end, but an event', unasked))
                 for query in sorted(queries)]
        texts += [f'{query}: {"; ".join(differences)}' for query, differences in wrong.items()]
        figures = {'events': self.events, 'revised': sum(len(revisions) > 1 for revisions in self.revisions.values()), 'missing': len(missing),
                   'doubled': len(doubled), 'gaps': len(gaps), 'out_of_order': len(unordered), 'unasked': len(unasked), 'wrong': len(wrong)}
        return figures, texts


def settle(judge, seconds, window_s):
    """Waits until a judgement has nothing to say, or nothing changes any more; `judge` gives verdicts. Revisions come when their windows end."""
    until = quiet_at = time.time() + seconds
    last = None
    while time.time() < min(until, quiet_at):
        figures, wrong = judge()
        if not wrong:
            return
        if figures != last:
            last, quiet_at = figures, time.time() + window_s + QUIET_S
        time.sleep(2)
