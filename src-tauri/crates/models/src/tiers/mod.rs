//! Which model answers: tiers, the chain that is tried in order, and the breaker that leaves a failing one alone.
