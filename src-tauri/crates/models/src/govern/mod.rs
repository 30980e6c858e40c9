//! What a call may cost: reserved before it, settled after it.
