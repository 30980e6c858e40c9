//! What joins the parts of a request: words that introduce titles, topics and what is to be said.

use std::sync::LazyLock;

use super::table::Table;

/// Introduces a title.
pub(super) static TITLED: LazyLock<Table<()>> = LazyLock::new(|| {
    Table::new(&[(
        "called | named | titled | entitled | with the title | with title | with the name | \
         by the name of | labelled | labeled | with the subject line | with the subject | \
         with subject line | with subject | with a subject of | with a subject line of | \
         whose subject is | whose title is | subject line | subject | under the name | with a title of | \
         and title it | and call it | and name it | title it | that is called | which is called | \
         that is titled | with the heading | title | and the subject | and subject | and the title | \
         and title | the subject line | the subject | whose name is | with the subject of | the title | \
         with the title of",
        (),
    )])
});

/// Introduces what something is about.
pub(super) static ABOUT: LazyLock<Table<()>> = LazyLock::new(|| {
    Table::new(&[(
        "mention the word | that mention the word | that mentions the word | mentions the word | contain the word | that contain the word | \
         that contains the word | that use the word | about | it is about | its about | it is regarding | which is to discuss | containing the word | containing the words | containing the phrase | with the phrase | mentioning the word | regarding | re | concerning | related to | relating to | pertaining to | \
         on the subject of | on the topic of | mentioning | that mention | that mentions | where i wrote about | where i write about | where i mention | where it talks about | in which i wrote about | \
         which mention | which mentions | containing | that contain | that contains | with the word | \
         with the words | discussing | in regards to | in regard to | with regard to | with regards to | \
         dealing with | that talk about | that is about | that are about | which is about | \
         which are about | to do with | having to do with | to discuss | to talk about | to go over | \
         to review | that discuss | that talks about | talking about | with the keyword | matching | that has to do with | \
         that have to do with | that says | that say | mention | contain",
        (),
    )])
});

/// Introduces the words of a message.
pub(super) static SAYING: LazyLock<Table<()>> = LazyLock::new(|| {
    Table::new(&[(
        "saying that | saying | stating that | stating | that say | that says | which says | which say | \
         that reads | which reads | reading | with the body | with body | and the text | and text | the text | with the text | with text | \
         with the message | with message | with the content | with the contents | and the content | and content | the content is | with the words | \
         to say that | to say | and say that | and say | say that | say | telling them that | \
         telling him that | telling her that | tell him that | tell her that | tell him | tell her | telling them | telling him | telling her | \
         and tell them that | and tell him that | and tell her that | and tell them | and tell him | \
         and tell her | to tell them that | to tell him that | to tell her that | to tell them | \
         to tell him | to tell her | tell them that | tell them | to let them know that | \
         to let them know | letting them know that | letting them know | letting him know that | \
         letting him know | letting her know that | letting her know | to let him know that | \
         to let him know | to let her know that | to let her know | and let them know that | \
         and let them know | and let him know that | and let him know | and let her know that | \
         and let her know | explaining that | with the following message | with the following text | \
         with the following | the body is | the body should be | the message is | the text is | body | \
         the body | with a message saying | the body should say | it should say | and the body | \
         and body | with a message | the message should say | the message should be | message | \
         and the message | and mention that | mentioning that | with a note saying | \
         with a note that says | with the note | with a note that | with the note that | \
         with a message that | with a note | with the reply | with a reply | with the response | \
         with the answer | informing him that | informing her that | informing them that | informing him | informing her | \
         informing them | to inform him that | to inform her that | to inform them that | and inform him that | \
         and inform her that | and inform them that | reminding him that | reminding her that | reminding them that | \
         announcing that | confirming that | to confirm that | adding that | and explain that | to explain that | \
         and confirm that | warning him that | warning her that | warning them that",
        (),
    )])
});
