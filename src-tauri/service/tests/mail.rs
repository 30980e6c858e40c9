//! Tests of mail as lists and threads show it.

use adjutant_api::rows::{MailRow, Rows};
use adjutant_api::topic::Only;
use adjutant_api::words::MailFolder;
use adjutant_api::{Reply, Topic};

use super::{import, world};
use crate::service::show::{self, ShowParams};
use crate::service::{Service, Sink};

/// Three mails that each refer only to their parent, and one from somebody else, as mail clients write them.
const MBOX: &str = "From x Mon Mar 02 09:00:00 2026
From: Emily Carter <emily@northwind.example>
To: Dana <dana@home.example>
Subject: Q1 numbers
Date: Mon, 02 Mar 2026 09:00:00 +0000
Message-ID: <m1@test.example>
Status: RO

Dana, can you send me
the Q1 numbers?

From x Mon Mar 02 10:00:00 2026
From: Dana <dana@home.example>
To: Emily Carter <emily@northwind.example>
Subject: Re: Q1 numbers
Date: Mon, 02 Mar 2026 10:00:00 +0000
Message-ID: <m2@test.example>
In-Reply-To: <m1@test.example>
References: <m1@test.example>
Status: RO

> Dana, can you send me
Sure, working on it.

From x Tue Mar 03 10:00:00 2026
From: Emily Carter <emily@northwind.example>
To: Dana <dana@home.example>
Subject: Re: Q1 numbers
Date: Tue, 03 Mar 2026 10:00:00 +0000
Message-ID: <m3@test.example>
In-Reply-To: <m2@test.example>
References: <m2@test.example>
Status: O

Thanks!

From x Tue Mar 03 11:00:00 2026
From: Greg <greg@home.example>
To: Dana <dana@home.example>
Cc: Emily Carter <emily@northwind.example>
Subject: Leaking tap
Date: Tue, 03 Mar 2026 11:00:00 +0000
Message-ID: <m4@test.example>
Status: RO

I come on Thursday.
";

async fn show(service: &Service, what: Topic, id: Option<&str>, only: Only) -> Vec<MailRow> {
    let asked = ShowParams {
        id: id.map(str::to_owned),
        only,
        ..ShowParams::default()
    };
    match show::reply(service, what, &asked).await {
        Ok(Reply::Rows {
            rows: Rows::Mail(rows),
            ..
        }) => rows,
        other => panic!("{other:?}"),
    }
}

fn names(rows: &[MailRow]) -> Vec<&str> {
    rows.iter()
        .filter_map(|row| row.message_id.split('@').next())
        .collect()
}

#[tokio::test]
async fn lists_mail_by_folder_person_and_thread() {
    let world = world().await;
    let (service, file) = (&world.service, world.home.path().join("mail.mbox"));
    std::fs::write(&file, MBOX).expect("written");
    let (sink, _frames) = Sink::new();
    import::import(service, &[file.display().to_string()], &sink)
        .await
        .expect("imported");

    let all = show(service, Topic::Mail, None, Only::default()).await;
    assert_eq!(names(&all), ["m4", "m3", "m2", "m1"]);
    let thread = |row: &MailRow| row.thread.clone();
    assert_eq!(thread(&all[1]), all[3].id, "an answer to an answer");
    assert_eq!(thread(&all[0]), all[0].id);
    assert_eq!(
        all[2].excerpt, "Sure, working on it.",
        "without the quotation"
    );
    assert_eq!(all[3].excerpt, "Dana, can you send me the Q1 numbers?");
    assert!(all.iter().all(|row| row.text.is_none()));

    let unread = Only {
        folder: Some(MailFolder::Inbox),
        unread: true,
        ..Only::default()
    };
    assert_eq!(
        names(&show(service, Topic::Mail, None, unread).await),
        ["m3"]
    );
    let trash = Only {
        folder: Some(MailFolder::Trash),
        ..Only::default()
    };
    assert!(show(service, Topic::Mail, None, trash).await.is_empty());
    // Mails from her, to her, and with her in copy; none twice.
    let emily = Only {
        people: vec!["emily@northwind.example".into()],
        ..Only::default()
    };
    let with = show(service, Topic::Mail, None, emily).await;
    assert_eq!(names(&with), ["m4", "m3", "m2", "m1"]);

    let whole = show(service, Topic::Thread, Some(&all[2].id), Only::default()).await;
    assert_eq!(
        names(&whole),
        ["m1", "m2", "m3"],
        "from any of its mails, oldest first"
    );
    assert!(whole.iter().all(|row| row.text.is_some()));
    let asked = ShowParams {
        id: Some("mail_gone".into()),
        ..ShowParams::default()
    };
    let fault = show::reply(service, Topic::Thread, &asked).await;
    assert_eq!(fault.expect_err("none").code, "not_found");
}
