"""The sentences about real models' files, for translators: see problem_texts.py."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

MODELS = (
    QT_TRANSLATE_NOOP(
        "Problem", "table is {shape} but must have an odd number of columns: distances −K to K"
    ),
    QT_TRANSLATE_NOOP("Problem", "positions of the kind {found} are not known here"),
    QT_TRANSLATE_NOOP("Problem", "the model is quantised ({method}); only plain weights are read"),
    QT_TRANSLATE_NOOP("Problem", "the model is quantised; only plain weights are read"),
    QT_TRANSLATE_NOOP("Problem", "it is larger than {most} MB"),
    QT_TRANSLATE_NOOP("Problem", "it is not UTF-8 text"),
    QT_TRANSLATE_NOOP("Problem", "it holds {value} but must hold an object"),
    QT_TRANSLATE_NOOP("Problem", "it has {count} heads, as {name} says, not {asked}"),
    QT_TRANSLATE_NOOP("Problem", "{count} heads do not divide its width of {width}"),
    QT_TRANSLATE_NOOP("Problem", "GPT-2 with cross-attention is not known here"),
    QT_TRANSLATE_NOOP("Problem", "head_dim is {count}, but its tensors have heads of width {width}"),
    QT_TRANSLATE_NOOP(
        "Problem", "num_key_value_heads is {count}, but its keys are {width} wide, and a head is {each}"
    ),
    QT_TRANSLATE_NOOP("Problem", "layer_types has {count} entries, and there is a layer {number}"),
    QT_TRANSLATE_NOOP(
        "Problem",
        "its tensors are named as in {families}, and only config.json tells which, and what else the attention"
        " needs; put it beside the file",
    ),
    QT_TRANSLATE_NOOP("Problem", "it is of no family that is known ({families}): its tensors are {names}"),
    QT_TRANSLATE_NOOP("Problem", "it may be {families}; config.json would tell"),
    QT_TRANSLATE_NOOP("Problem", "it holds more than one model of the family {family}: {names}"),
    QT_TRANSLATE_NOOP("Problem", "there is no part {part}; it has {parts}"),
    QT_TRANSLATE_NOOP(
        "Problem", "there is no layer {number}; its layers are {first} to {last}, counted from 0"
    ),
    QT_TRANSLATE_NOOP("Problem", "the model type {found} is not known; known are {families}"),
    QT_TRANSLATE_NOOP("Problem", "config.json says {found}, but no tensor is named as in {family}: {names}"),
    QT_TRANSLATE_NOOP(
        "Problem",
        "its joined projection is {width} wide, but {heads} heads and twice {groups} K/V heads of width {each}"
        " are {wanted}",
    ),
    QT_TRANSLATE_NOOP(
        "Problem",
        "it holds no model. Put the model's config.json and .safetensors (or .bin) there; nothing is fetched",
    ),
    QT_TRANSLATE_NOOP("Problem", "it holds several files of tensors and no index: {names}; name one of them"),
    QT_TRANSLATE_NOOP("Problem", "it holds GGUF files, which are quantised; only plain weights are read"),
    QT_TRANSLATE_NOOP("Problem", "it is a GGUF file, which is quantised; only plain weights are read"),
    QT_TRANSLATE_NOOP("Problem", "weight_map is {found} but must name the files of the tensors"),
    QT_TRANSLATE_NOOP("Problem", "it names more than {most} files"),
    QT_TRANSLATE_NOOP("Problem", "it has no tensor {tensor}, which the index promises"),
    QT_TRANSLATE_NOOP("Problem", "it has no tensor {tensor}"),
    QT_TRANSLATE_NOOP(
        "Problem",
        "there is no such file or folder. Nothing is fetched: put the model's files, config.json and .safetensors,"
        " into a folder and name that",
    ),
    QT_TRANSLATE_NOOP("Problem", "{tensor} lies in {found}, which is no file of its folder"),
    QT_TRANSLATE_NOOP(
        "Problem", "the name of its tensor {number} is longer than {most} characters or cannot be printed"
    ),
    QT_TRANSLATE_NOOP(
        "Problem",
        "its joined projection is {width} wide, which is not three times {other}, as its output takes",
    ),
    QT_TRANSLATE_NOOP(
        "Problem", "{count} buckets up to a distance of {distance} leave no logarithm between them"
    ),
    QT_TRANSLATE_NOOP("Problem", "rotary positions would turn {count} of {width} columns"),
    QT_TRANSLATE_NOOP("Problem", "high_freq_factor must be above low_freq_factor"),
    QT_TRANSLATE_NOOP("Problem", "{key} has {count} numbers, but {pairs} pairs are turned"),
    QT_TRANSLATE_NOOP("Problem", "this sort of yarn is not known here"),
    QT_TRANSLATE_NOOP("Problem", "a Gemma 3 that sees both ways is not known here"),
    QT_TRANSLATE_NOOP("Problem", "a Gemma 3 with attn_logit_softcapping is not known here"),
    QT_TRANSLATE_NOOP("Problem", "it has rope_parameters and rope_scaling, and cannot mean both"),
    QT_TRANSLATE_NOOP("Problem", "rotary positions turn too fast to be calculated"),
    QT_TRANSLATE_NOOP("Problem", "attention_bias is false, but its tensors have biases"),
    QT_TRANSLATE_NOOP("Problem", "attention_bias is true, but its tensors have no biases"),
    QT_TRANSLATE_NOOP("Problem", "is_causal is false, and such a model is not known here"),
    QT_TRANSLATE_NOOP("Problem", "layers of the type {found} are not known here"),
    QT_TRANSLATE_NOOP(
        "Problem",
        "its layers are named as in {family}, but such a model has a tensor {tensor} and this one has none: it is of"
        " another family",
    ),
    QT_TRANSLATE_NOOP("Problem", "rotary positions scaled by {found} are not known here"),
    QT_TRANSLATE_NOOP("Problem", "relative_attention_max_distance is {count}, which is too far"),
    QT_TRANSLATE_NOOP("Problem", "{tensor} is stored as {found}: quantised weights are not read"),
    QT_TRANSLATE_NOOP("Problem", "{tensor} has the shape {shape} but must have {wanted}"),
    QT_TRANSLATE_NOOP("Problem", "its attention has a tensor that is not known here: {tensor}"),
    QT_TRANSLATE_NOOP("Problem", "it has {tensor}: quantised weights are not read"),
    QT_TRANSLATE_NOOP("Problem", "{tensor} adds a learned key to each sequence, which a scene has not"),
    QT_TRANSLATE_NOOP(
        "Problem",
        "its keys are made of rows of width {width} and its values of rows of width {other}; a scene has one"
        " context for both",
    ),
    QT_TRANSLATE_NOOP("Problem", "the part of rank {rank} of {ranks} is missing"),
    QT_TRANSLATE_NOOP("Problem", "{what} of rank {rank} is not that of rank 1; they are not of one call"),
    QT_TRANSLATE_NOOP("Problem", "{count} processes hold {sets} different sets of K/V heads"),
    QT_TRANSLATE_NOOP("Problem", "the processes hold different biases of the output"),
    QT_TRANSLATE_NOOP("Problem", "this layer looks at pictures, and no text reaches it"),
    QT_TRANSLATE_NOOP(
        "Problem",
        "this layer belongs to the decoder; say the text that it reads as well (--target)",
    ),
    QT_TRANSLATE_NOOP("Problem", "the text has {count} tokens; this model takes {most}"),
    QT_TRANSLATE_NOOP("Problem", "the text has {count} tokens; at most {most} are taken"),
    QT_TRANSLATE_NOOP("Problem", "the text has no tokens"),
    QT_TRANSLATE_NOOP("Problem", "the text holds half of a character (a lone surrogate)"),
    QT_TRANSLATE_NOOP("Problem", "the model cannot compute it: {found}"),
    QT_TRANSLATE_NOOP(
        "Problem",
        "{module} computes something that is not known here: its output differs by up to {apart}",
    ),
    QT_TRANSLATE_NOOP(
        "Problem",
        "config.json does not say which token the decoder starts with (decoder_start_token_id)",
    ),
    QT_TRANSLATE_NOOP("Problem", "config.json counts {said} layers; its files hold {count}"),
    QT_TRANSLATE_NOOP("Problem", "its files lack {tensor}, without which the model computes nothing true"),
    QT_TRANSLATE_NOOP(
        "Problem",
        "config.json says other sizes than those of its tensors, which transformers cannot use",
    ),
    QT_TRANSLATE_NOOP("Problem", "transformers cannot use it: {found}"),
    QT_TRANSLATE_NOOP("Problem", "a text goes through the whole model; name its folder"),
    QT_TRANSLATE_NOOP("Problem", "a text needs the model's config.json; put it there. Nothing is fetched"),
    QT_TRANSLATE_NOOP(
        "Problem",
        "it has no tokenizer. Put the model's own there, beside config.json: tokenizer.json (or {names} "
        "…) and tokenizer_config.json. Nothing is fetched",
    ),
    QT_TRANSLATE_NOOP("Problem", "tokenizer.json: precompiled_charsmap is not whole"),
    QT_TRANSLATE_NOOP(
        "Problem",
        "A text goes through the model with the library transformers; install it with pip install"
        ' "attention-explorer[models]"',
    ),
    QT_TRANSLATE_NOOP(
        "Problem",
        "A text goes through the model with the library transformers, which the standalone program leaves out; install"
        ' the Python package with pip install "attention-explorer[models]"',
    ),
)
