//! What does a certificate cost before it is believed?
