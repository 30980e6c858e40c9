//! Tests of rules in words.

use adjutant_domain::settings::DateOrder;

use crate::in_words;

#[test]
fn rules_in_words() {
    for (rule, said) in [
        ("FREQ=DAILY", "every day"),
        ("FREQ=MINUTELY;INTERVAL=5", "every 5 minutes"),
        ("FREQ=WEEKLY;BYDAY=MO,WE", "every week on Mon and Wed"),
        ("FREQ=WEEKLY;INTERVAL=2", "every 2 weeks"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
        (
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR",
            "every 2 weeks on weekdays",
        ),
        ("FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Fri"),
        (
            "FREQ=MONTHLY;BYDAY=FR;BYSETPOS=-1",
            "every month on the last Fri",
        ),
        (
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1",
            "every month on the 1st working day",
        ),
        ("FREQ=MONTHLY;BYMONTHDAY=15", "every month on the 15th"),
        (
            "FREQ=MONTHLY;BYMONTHDAY=1,-1",
            "every month on the 1st and the last day",
        ),
        (
            "FREQ=MONTHLY;BYMONTHDAY=-3",
            "every month on the 3rd from the end day",
        ),
        (
            "FREQ=DAILY;BYHOUR=9,17;BYMINUTE=30",
            "every day at 09:30 and 17:30",
        ),
        (
            "FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0,30;BYSETPOS=2,3",
            "every day at 09:30 and 17:00",
        ),
        (
            "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=1;COUNT=5",
            "every year in Mar on the 1st, 5 times",
        ),
        (
            "FREQ=DAILY;UNTIL=20260301",
            "every day, until Sun 1 Mar 2026",
        ),
        ("sometimes", "sometimes"),
    ] {
        assert_eq!(in_words(rule, DateOrder::DayFirst), said, "{rule}");
    }
}
