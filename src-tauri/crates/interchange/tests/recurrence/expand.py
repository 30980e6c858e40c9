"""Expands calendars with another library: reads one JSON object per line, and writes its instances as one JSON list per line."""
import datetime
import json
import sys

import icalendar
import recurring_ical_events


def text(value):
    """Formats a date unchanged, and a time in UTC."""
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return value.isoformat()


for line in sys.stdin:
    asked = json.loads(line)
    calendar = icalendar.Calendar.from_ical(asked["calendar"])
    found = recurring_ical_events.of(calendar).between(tuple(asked["from"]), tuple(asked["to"]))
    found = [one for one in found if str(one.get("STATUS", "")) != "CANCELLED"]
    print(json.dumps(sorted([text(one.start), text(one.end), str(one["SUMMARY"])] for one in found)), flush=True)
