"""The words of a worksheet in every language. To add a language: one more text per key.

W_q, d_k, W^O stand for letters with indices: explorer.lessons.notation finds them.
"""

from collections.abc import Mapping

TEXTS: Mapping[str, Mapping[str, str]] = {
    "sheet": {"en": "Attention by hand", "zh": "手算注意力"},
    "answers": {"en": "Answers", "zh": "答案"},
    "version": {"en": "Version {letter}", "zh": "{letter} 卷"},
    "name": {"en": "Name", "zh": "姓名"},
    "date": {"en": "Date", "zh": "日期"},
    "given": {"en": "Given", "zh": "已知"},
    "page": {"en": "{number} of {count}", "zh": "第 {number} 页，共 {count} 页"},
    "head": {"en": "head {number}", "zh": "头 {number}"},
    "kv_head": {"en": "K/V head {number}", "zh": "K/V 头 {number}"},
    "sum": {"en": "Σ", "zh": "Σ"},
    # what the scene is
    "sizes": {"en": "{tokens}, {heads}, {widths}.", "zh": "{tokens}，{heads}，{widths}。"},
    "tokens": {"en": "{n} tokens", "zh": "{n} 个词元"},
    "tokens_cross": {
        "en": "{n} tokens that ask and {m} that are asked (the context C)",
        "zh": "{n} 个词元提问，{m} 个上下文词元（C）回答",
    },
    "one_head": {"en": "one head", "zh": "一个头"},
    "heads": {"en": "{heads} heads", "zh": "{heads} 个头"},
    "columns": {
        "en": "Each head owns {width} columns of W_q; W_k and W_v are shared out alike.",
        "zh": "每个头占 W_q 的 {width} 列；W_k 和 W_v 也这样分给各头。",
    },
    "shared": {
        "en": "There are {groups} K/V heads: {each} heads each read the same K and V.",
        "zh": "共有 {groups} 个 K/V 头：每 {each} 个头共用同一组 K 和 V。",
    },
    "causal": {
        "en": "Causal mask: a token sees itself and the tokens before it.",
        "zh": "因果掩码：每个词元只能看到自己和它前面的词元。",
    },
    "padding": {
        "en": "Padding mask: some tokens are there to fill up, and nobody sees them.",
        "zh": "填充掩码：有些词元只是用来补齐长度的，谁也看不到它们。",
    },
    "window": {
        "en": "Window mask: a token sees only the tokens near it.",
        "zh": "窗口掩码：每个词元只能看到附近的词元。",
    },
    "custom": {"en": "A mask hides some tokens from others.", "zh": "掩码使某些词元看不到另一些词元。"},
    "hatched": {
        "en": "Hatched cells are hidden: leave them out, their weight is 0.",
        "zh": "画斜线的格子被遮住：不必计算，权重为 0。",
    },
    "filled": {
        "en": "A hidden score is replaced by {fill}.",
        "zh": "被遮住的分数用 {fill} 代替。",
    },
    "added": {
        "en": "The position has been added to {name} already.",
        "zh": "{name} 已经加上了位置编码。",
    },
    "normed": {
        "en": "Each row of Q and K that has a norm has been divided by its root mean square already.",
        "zh": "Q 和 K 中带归一化的各行已经除以过均方根。",
    },
    "turned": {
        "en": "Q and K have been turned by their positions (rotary) already.",
        "zh": "Q 和 K 已经按位置旋转过（rotary）。",
    },
    "round": {
        "en": "Round to {decimals} decimals; a last digit that differs by one is right, too.",
        "zh": "结果保留 {decimals} 位小数；末位相差 1 也算对。",
    },
    # what is to be done
    "title_x": {"en": "Add the positions", "zh": "加上位置编码"},
    "title_q": {"en": "queries", "zh": "查询"},
    "title_k": {"en": "keys", "zh": "键"},
    "title_v": {"en": "values", "zh": "值"},
    "title_scores": {"en": "Scores", "zh": "分数"},
    "title_scaled": {"en": "Scaled scores", "zh": "缩放后的分数"},
    "title_masked": {"en": "Mask", "zh": "掩码"},
    "title_weights": {"en": "Weights: softmax, row by row", "zh": "权重：逐行做 softmax"},
    "title_head_outputs": {"en": "Outputs: the values, mixed", "zh": "输出：按权重混合各个值"},
    "title_concat": {"en": "Concat: the heads side by side", "zh": "拼接：各头并排"},
    "title_output": {"en": "Output projection", "zh": "输出投影"},
    "and": {"en": ", ", "zh": "、"},
    "hint_x": {"en": "Number by number: X plus its position.", "zh": "逐个数相加：X 加上位置编码。"},
    "hint_projections": {
        "en": "Row times column: multiply number by number, add up.",
        "zh": "行乘列：对应的数相乘，再全部加起来。",
    },
    "hint_bias": {"en": "Then add the bias of the column.", "zh": "然后加上该列的偏置。"},
    "hint_norm": {
        "en": "Then norm each row of a head in {name}: divide by the root of (mean of its squares + {eps}),"
        " multiply by {weights}, number by number.",
        "zh": "再对 {name} 中每个头的各行做归一化：除以（各数平方的平均值 + {eps}）的平方根，再逐个乘以 {weights}。",
    },
    "hint_turn": {
        "en": "Then turn each pair of columns by the angle of its position.",
        "zh": "然后把每一对列按其位置的角度旋转。",
    },
    "hint_scores": {
        "en": "Row i of Q with row j of K: multiply number by number, add up.",
        "zh": "Q 的第 i 行与 K 的第 j 行：对应的数相乘，再全部加起来。",
    },
    "hint_scaled": {
        "en": "Divide every score by √d_k = {root}.",
        "zh": "每个分数都除以 √d_k = {root}。",
    },
    "hint_factor": {"en": "Multiply every score by {factor}.", "zh": "每个分数都乘以 {factor}。"},
    "hint_softcap": {
        "en": "Then bend: c·tanh(s/c) with c = {cap}.",
        "zh": "再作软截断：c·tanh(s/c)，c = {cap}。",
    },
    "hint_alibi": {
        "en": "Then subtract the head's slope times the distance of the two tokens.",
        "zh": "再减去该头的斜率乘以两个词元之间的距离。",
    },
    "hint_bias_of_scores": {
        "en": "Then add the number of B that stands for the query and the key.",
        "zh": "再加上 B 中对应于该查询和该键的那个数。",
    },
    "hint_masked": {
        "en": "Copy the scores that may be seen; write {fill} where the mask hides the key.",
        "zh": "能看到的分数照抄；被掩码遮住的地方写 {fill}。",
    },
    "hint_weights": {
        "en": "Take e to the power of each score, add up the row, divide by the sum. Check: a row of A adds up to 1.",
        "zh": "对每个分数取 e 的幂，把这一行加起来，再逐个除以这个和。检查：A 的每一行之和为 1。",
    },
    "hint_shift": {
        "en": "In rows marked −max, first subtract the row's largest score from the whole row: the weights stay the"
        " same, and the powers stay small.",
        "zh": "标有 −max 的行，先让整行减去该行最大的分数：权重不变，幂也不会太大。",
    },
    "hint_head_outputs": {
        "en": "Row i of A times column r of V: the weights say how much of each value is taken.",
        "zh": "A 的第 i 行乘 V 的第 r 列：权重表示每个值取多少。",
    },
    "hint_concat": {
        "en": "Write the outputs of the heads side by side, token by token.",
        "zh": "逐个词元，把各头的输出并排写在一起。",
    },
    "hint_no_output": {
        "en": "There is no output matrix here: copy the numbers.",
        "zh": "这里没有输出矩阵：照抄这些数即可。",
    },
    "hint_output": {"en": "Row times column, as at first.", "zh": "和开头一样，行乘列。"},
    "table": {"en": "Powers of e", "zh": "e 的幂"},
    "table_parts": {
        "en": "e^(a+b) = e^a·e^b, so {example}",
        "zh": "e^(a+b) = e^a·e^b，例如 {example}",
    },
    "terms": {"en": "{count} terms", "zh": "{count} 项"},
    "likewise": {"en": "The other cells follow in the same way.", "zh": "其余各格做法相同。"},
}


def say(key: str, language: str, **values: object) -> str:
    """A text in `language` ("en", "zh", "zh_CN"), in English where it has none, with values put in."""
    words = TEXTS[key]
    return words.get(language.split("_")[0], words["en"]).format(**values)
