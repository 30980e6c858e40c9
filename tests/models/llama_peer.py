"""A real llama.cpp server with a tiny random model, for src-tauri/crates/models/tests/providers/llama.rs.

Its answers are noise on purpose: its tokens are single bytes, so that characters arrive in parts. Prints one line when it
listens, and exits when its standard input closes.
"""

import os
import sys
import tempfile

import gguf
import numpy
import xllamacpp

CONTEXT = 2048
WIDTH, HEADS, INNER, LAYERS = 32, 2, 64, 1
TEMPLATE = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:"


def make_model(path):
    """Writes a Llama model with one random layer and a vocabulary of all bytes."""
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_name("noise")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)

    kinds = gguf.TokenType
    tokens = ["<unk>", "<s>", "</s>"] + [f"<0x{byte:02X}>" for byte in range(256)]
    types = [kinds.UNKNOWN, kinds.CONTROL, kinds.CONTROL] + [kinds.BYTE] * 256
    writer.add_tokenizer_model("llama")
    writer.add_token_list(tokens)
    writer.add_token_scores([0.0] * len(tokens))
    writer.add_token_types(types)
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_space_prefix(False)
    writer.add_chat_template(TEMPLATE)

    chance = numpy.random.default_rng(7)

    def noise(name, *shape):
        writer.add_tensor(name, chance.normal(0, 0.5, shape).astype(numpy.float32))

    def ones(name):
        writer.add_tensor(name, numpy.ones(WIDTH, dtype=numpy.float32))

    noise("token_embd.weight", len(tokens), WIDTH)
    for layer in range(LAYERS):
        block = f"blk.{layer}."
        ones(block + "attn_norm.weight")
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            noise(f"{block}{part}.weight", WIDTH, WIDTH)
        ones(block + "ffn_norm.weight")
        noise(block + "ffn_gate.weight", INNER, WIDTH)
        noise(block + "ffn_up.weight", INNER, WIDTH)
        noise(block + "ffn_down.weight", WIDTH, INNER)
    ones("output_norm.weight")
    noise("output.weight", len(tokens), WIDTH)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    # Redirects the server's own output to standard error; standard output is for the ready line.
    ready = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "noise.gguf")
        make_model(path)
        params = xllamacpp.CommonParams()
        params.model.path = path
        params.model_alias = {"noise"}
        params.n_ctx = CONTEXT
        params.n_parallel = 1
        params.n_gpu_layers = 0
        params.cpuparams.n_threads = 1
        params.hostnames = ["127.0.0.1"]
        params.port = 0
        if "--embedding" in sys.argv:
            params.embedding = True
            params.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
        server = xllamacpp.Server(params)
        print("ready", server.listening_address, file=ready, flush=True)
        sys.stdin.read()
    # Skips the server's shutdown, which may wait for open connections.
    os._exit(0)


main()
