//! Stores tool servers.

use adjutant_domain::faults::StoreFault;
use adjutant_domain::provenance::{Author, Provenance};
use adjutant_domain::record::{Note, Record};
use adjutant_domain::server::{Server, ServerName};
use adjutant_domain::source::Taint;

use crate::rows::put_record;
use crate::store::Store;
use crate::tables::{provenance, servers};

impl Store {
    /// Returns all tool servers, by name.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn servers(&self) -> Result<Vec<Server>, StoreFault> {
        self.read(servers::list).await
    }

    /// Adds a server, or updates a known one.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn put_server(&self, server: Server) -> Result<(), StoreFault> {
        self.write("put_server", move |tx| servers::put(tx, &server))
            .await
    }

    /// Stores a note written by a server, once the person has attached it.
    ///
    /// # Errors
    /// When storage fails.
    pub async fn keep_attached(&self, note: Note, server: ServerName) -> Result<(), StoreFault> {
        self.write("keep_attached", move |tx| {
            let by = Provenance {
                author: Author::Server {
                    id: server.as_str().to_owned(),
                },
                taint: Taint::Tainted,
            };
            let id = note.id.clone();
            put_record(tx, &Record::Note(note), 1)?;
            provenance::came(tx, &id, &by)
        })
        .await
    }

    /// Removes a server.
    ///
    /// # Errors
    /// [`StoreFault::Missing`] if there is no server of this name; otherwise when storage fails.
    pub async fn remove_server(&self, name: ServerName) -> Result<(), StoreFault> {
        self.write("remove_server", move |tx| servers::remove(tx, &name))
            .await
    }
}
