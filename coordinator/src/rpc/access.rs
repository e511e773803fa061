//! Access to the services, by the roles of the callers.

use tonic::service::Interceptor;
use tonic::{Request, Status};

use super::caller::{Caller, Role};
use super::revoked::{REFUSED, RevocationList};
use crate::connections::ConnectionLimiter;

/// The door of a service, which admits the callers that have one of its roles.
#[derive(Clone, Debug)]
pub(super) struct Door {
    /// The gate of the connection's port, if it has one, which is notified of requests.
    pub(super) gate: Option<ConnectionLimiter>,
    /// The certificates that are refused; `None` where no certificates are shown.
    pub(super) revoked: Option<RevocationList>,
    /// The roles that are admitted.
    pub(super) roles: &'static [Role],
}

impl Interceptor for Door {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        let caller = match &self.revoked {
            Some(revoked) => Some(self.authorise(revoked, &request)?),
            None => None,
        };
        // Only a caller that may make this call gets a place.
        if let (Some(gate), Some(peer)) = (&self.gate, request.remote_addr()) {
            gate.mark_busy(peer, caller.as_ref())
                .map_err(|no_room| Status::unavailable(no_room.to_string()))?;
        }
        if let Some(caller) = caller {
            request.extensions_mut().insert(caller);
        }
        Ok(request)
    }
}

impl Door {
    /// Returns the caller of a request, if its certificate allows the call.
    fn authorise(&self, revoked: &RevocationList, request: &Request<()>) -> Result<Caller, Status> {
        let shown = request.peer_certs();
        let caller = shown
            .as_ref()
            .and_then(|certificates| Caller::of(certificates.first()?));
        let Some(caller) = caller else {
            return Err(Status::permission_denied(
                "your certificate names no caller: make one with `misere coordinator certs`",
            ));
        };
        // The connection may be older than the revocation of its certificate.
        if revoked.refuses(&caller) {
            tracing::warn!(target: REFUSED, name = %caller.name, fingerprint = %caller.fingerprint, "call refused: the certificate is revoked");
            return Err(Status::permission_denied("your certificate is revoked"));
        }
        if !caller.roles.iter().any(|role| self.roles.contains(role)) {
            let list = |roles: &[Role]| {
                let roles: Vec<_> = roles.iter().map(ToString::to_string).collect();
                roles.join(" or ")
            };
            let (needed, has) = (list(self.roles), list(&caller.roles));
            tracing::warn!(name = %caller.name, fingerprint = %caller.fingerprint, needed, has, "call refused");
            return Err(Status::permission_denied(format!(
                "this call needs the role {needed}; the certificate of `{}` has {}",
                caller.name,
                if has.is_empty() { "none" } else { &has }
            )));
        }
        Ok(caller)
    }
}
