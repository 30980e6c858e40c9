//! Language models behind the port `ChatModel` of the domain: what asks providers, and what stands in front of them.
//! Every layer is a `ChatModel` around a `ChatModel`, so that whoever asks cannot tell them apart.

pub mod govern;
pub mod tiers;
