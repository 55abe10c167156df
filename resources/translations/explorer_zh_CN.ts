<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>AboutDialog</name>
    <message>
        <source>About Attention Explorer</source>
        <translation>关于 Attention Explorer</translation>
    </message>
    <message>
        <source>Type into the input and the projections of an attention layer, and see every stage change at once.</source>
        <translation>在注意力层的输入和投影矩阵里键入数字，每个阶段都会立刻随之变化。</translation>
    </message>
    <message>
        <source>Attention Explorer is free software under the MIT licence.</source>
        <translation>Attention Explorer 是自由软件，采用 MIT 许可证。</translation>
    </message>
    <message>
        <source>Qt and PySide6 are used under the LGPL, version 3, unmodified, as shared libraries: you may replace them by your own build of the same version.</source>
        <translation>Qt 和 PySide6 依据 LGPL 第 3 版使用，未经修改，以共享库的形式提供：你可以用自己编译的同版本库替换它们。</translation>
    </message>
    <message>
        <source>They are in {folder}.</source>
        <translation>它们位于 {folder}。</translation>
    </message>
    <message>
        <source>Copy versions</source>
        <translation>复制版本信息</translation>
    </message>
    <message>
        <source>Licence texts…</source>
        <translation>许可证全文…</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>&amp;Lessons</source>
        <translation>课程(&amp;L)</translation>
    </message>
    <message>
        <source>La&amp;b</source>
        <translation>实验室(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>新建(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;Recent</source>
        <translation>最近打开(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Examples</source>
        <translation>示例(&amp;E)</translation>
    </message>
    <message>
        <source>Import a layer of a &amp;model…</source>
        <translation>导入模型的一层(&amp;M)…</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>Save &amp;As…</source>
        <translation>另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Export &amp;picture…</source>
        <translation>导出图片(&amp;X)…</translation>
    </message>
    <message>
        <source>Export num&amp;bers…</source>
        <translation>导出数值(&amp;B)…</translation>
    </message>
    <message>
        <source>&amp;Worksheet…</source>
        <translation>练习卷(&amp;W)…</translation>
    </message>
    <message>
        <source>Pr&amp;int…</source>
        <translation>打印(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Title of the scene…</source>
        <translation>场景标题(&amp;T)…</translation>
    </message>
    <message>
        <source>Change the title</source>
        <translation>更改标题</translation>
    </message>
    <message>
        <source>What worksheets and pictures call this scene, and the window while it has no file:</source>
        <translation>练习纸和图片上的场景名称；尚未保存为文件时，窗口标题也用它：</translation>
    </message>
    <message>
        <source>Title of the scene</source>
        <translation>场景标题</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Stages</source>
        <translation>阶段(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Decimals</source>
        <translation>小数位数(&amp;D)</translation>
    </message>
    <message>
        <source>Larger cells</source>
        <translation>放大单元格</translation>
    </message>
    <message>
        <source>Smaller cells</source>
        <translation>缩小单元格</translation>
    </message>
    <message>
        <source>Fit cells to the window</source>
        <translation>单元格适应窗口</translation>
    </message>
    <message>
        <source>One head alone</source>
        <translation>只看一个头</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>显示所有头</translation>
    </message>
    <message>
        <source>Everything &amp;larger</source>
        <translation>整体放大(&amp;L)</translation>
    </message>
    <message>
        <source>Everything s&amp;maller</source>
        <translation>整体缩小(&amp;M)</translation>
    </message>
    <message>
        <source>Usual si&amp;ze</source>
        <translation>恢复原始大小(&amp;Z)</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>配色(&amp;C)</translation>
    </message>
    <message>
        <source>Large scenes computed &amp;on</source>
        <translation>大场景在哪里计算(&amp;O)</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>the processor (CPU)</source>
        <translation>处理器（CPU）</translation>
    </message>
    <message>
        <source>torch sees neither CUDA nor MPS on this computer</source>
        <translation>torch 在这台电脑上既没有找到 CUDA，也没有找到 MPS</translation>
    </message>
    <message>
        <source>&amp;Present</source>
        <translation>演示(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Present step by step</source>
        <translation>逐步演示(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Cover numbers by clicking</source>
        <translation>点击盖住数字(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Reveal all numbers</source>
        <translation>揭开所有数字(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;About</source>
        <translation>关于(&amp;A)</translation>
    </message>
    <message>
        <source>About &amp;Qt</source>
        <translation>关于 &amp;Qt</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>按键(&amp;K)</translation>
    </message>
    <message>
        <source>Open folder of &amp;layers…</source>
        <translation>打开层文件夹(&amp;L)…</translation>
    </message>
    <message>
        <source>Heads side by side</source>
        <translation>并排查看各头</translation>
    </message>
    <message>
        <source>Words and their lines</source>
        <translation>词与连线</translation>
    </message>
</context>
<context>
    <name>AddedPart</name>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Added to</source>
        <translation>加到</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>A column over the positions</source>
        <translation>一列随位置的变化</translation>
    </message>
    <message>
        <source>The table further on</source>
        <translation>更多位置的表</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>what is added</source>
        <translation>加上的数</translation>
    </message>
    <message>
        <source>after</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>the table of positions, one row each</source>
        <translation>位置表，每个位置一行</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Column {column}: {wave}; it begins again after {turn} positions.</source>
        <translation>第 {column} 列：{wave}；每 {turn} 个位置重复一次。</translation>
    </message>
    <message>
        <source>Whatever was learned: a column need not be a wave.</source>
        <translation>学到什么就是什么：一列不必是波形。</translation>
    </message>
</context>
<context>
    <name>Arithmetic</name>
    <message>
        <source>Largest first</source>
        <translation>从大到小</translation>
    </message>
    <message>
        <source>Show the largest terms of the sum first</source>
        <translation>先显示和式中最大的项</translation>
    </message>
    <message>
        <source>{count} more terms</source>
        <translation>另有 {count} 项</translation>
    </message>
    <message>
        <source>… {count} more terms</source>
        <translation>… 另有 {count} 项</translation>
    </message>
    <message>
        <source>Fold the sum</source>
        <translation>收起和式</translation>
    </message>
    <message>
        <source>Click to see every term</source>
        <translation>点击查看每一项</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Close this message</source>
        <translation>关闭这条消息</translation>
    </message>
</context>
<context>
    <name>Bar</name>
    <message>
        <source>← Panels</source>
        <translation>← 面板</translation>
    </message>
    <message>
        <source>Back to all stages (Esc)</source>
        <translation>回到所有阶段（Esc）</translation>
    </message>
    <message>
        <source>All heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>词</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>what is sent</source>
        <translation>实际送出</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>‖α·v·W^O‖, the length of what each key really sends: a large weight on a short value moves little</source>
        <translation>‖α·v·W^O‖，即每个键实际送出的向量的长度：短的值即使权重大，影响也小</translation>
    </message>
    <message>
        <source>Sort the heads</source>
        <translation>头的排序</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>sorted by</source>
        <translation>排序</translation>
    </message>
    <message>
        <source>at least</source>
        <translation>至少</translation>
    </message>
    <message>
        <source>Leave out what is below this share of the largest possible</source>
        <translation>略去低于最大可能值的这一比例的部分</translation>
    </message>
    <message>
        <source>keys per query</source>
        <translation>每个查询的键数</translation>
    </message>
    <message>
        <source>Leave out all but so many of the largest of each query</source>
        <translation>每个查询只保留最大的这么多个</translation>
    </message>
    <message>
        <source>all heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>Click: add {head} or leave it out. Double-click: this one alone</source>
        <translation>单击：加入或去掉{head}。双击：只看这一个</translation>
    </message>
</context>
<context>
    <name>BiasPart</name>
    <message>
        <source>Slope of each head</source>
        <translation>每个头的斜率</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>scaled scores before</source>
        <translation>之前的缩放分数</translation>
    </message>
    <message>
        <source>what is added</source>
        <translation>加上的数</translation>
    </message>
    <message>
        <source>scaled scores after</source>
        <translation>之后的缩放分数</translation>
    </message>
</context>
<context>
    <name>Canvas</name>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>joined</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>head {number}</source>
        <translation>头 {number}</translation>
    </message>
</context>
<context>
    <name>CausalOptions</name>
    <message>
        <source>starts top left (j ≤ i)</source>
        <translation>从左上角开始（j ≤ i）</translation>
    </message>
    <message>
        <source>ends bottom right (j ≤ i + m − n)</source>
        <translation>到右下角为止（j ≤ i + m − n）</translation>
    </message>
    <message>
        <source>With as many keys as queries both are the same.</source>
        <translation>键与查询一样多时，两者相同。</translation>
    </message>
    <message>
        <source>Align causal mask</source>
        <translation>对齐因果掩码</translation>
    </message>
</context>
<context>
    <name>CellAnswer</name>
    <message>
        <source>Click the number in the picture, or go there with the arrows and press Enter.</source>
        <translation>在图中点击那个数，或者用方向键移过去再按 Enter。</translation>
    </message>
    <message>
        <source>Take the chosen number</source>
        <translation>就选这个数</translation>
    </message>
</context>
<context>
    <name>ChoiceAnswer</name>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
</context>
<context>
    <name>Chooser</name>
    <message>
        <source>Import from {file}</source>
        <translation>从 {file} 导入</translation>
    </message>
    <message>
        <source>Transpose</source>
        <translation>转置</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头数</translation>
    </message>
    <message>
        <source>Rows and columns</source>
        <translation>行和列</translation>
    </message>
    <message>
        <source>Index on</source>
        <translation>其余各轴取</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>All matrices: {layer}</source>
        <translation>全部矩阵：{layer}</translation>
    </message>
    <message>
        <source>axes {rows} and {columns}: {shape}</source>
        <translation>轴 {rows} 和 {columns}：{shape}</translation>
    </message>
    <message>
        <source> of {count}</source>
        <translation>，共 {count}</translation>
    </message>
    <message>
        <source>axis {number}</source>
        <translation>轴 {number}</translation>
    </message>
    <message>
        <source>{table}, as {name} is.</source>
        <translation>{table}，与 {name} 相同。</translation>
    </message>
    <message>
        <source>{table}, for {name}, which is not set now.</source>
        <translation>{table}，用于 {name}（现在没有设定）。</translation>
    </message>
    <message>
        <source>{table}; {name} is {shape} and would change.</source>
        <translation>{table}；{name} 现在是 {shape}，会随之改变。</translation>
    </message>
    <message>
        <source>W_q, W_k, W_v, W_o and the biases become those of this layer: {width} wide, {heads} heads of {each}. The file does not say how many heads there are.</source>
        <translation>W_q、W_k、W_v、W_o 和各偏置都换成这一层的：宽 {width}，{heads} 个头，每个宽 {each}。文件里没有写头数。</translation>
    </message>
    <message>
        <source>{heads} heads do not divide {width} evenly.</source>
        <translation>{heads} 个头不能平分 {width}。</translation>
    </message>
</context>
<context>
    <name>Code</name>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>How is this scene written in PyTorch, or worked out on paper?</source>
        <translation>这个场景用 PyTorch 怎么写？在纸上又怎么算？</translation>
    </message>
    <message>
        <source>What to write</source>
        <translation>要写的内容</translation>
    </message>
    <message>
        <source>PyTorch: plain tensors</source>
        <translation>PyTorch：纯张量运算</translation>
    </message>
    <message>
        <source>the masks, as torch wants them</source>
        <translation>掩码：按 torch 要求的写法</translation>
    </message>
    <message>
        <source>LaTeX of the worked solution</source>
        <translation>LaTeX：完整解题过程</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>The two flags of torch mean the opposite of each other.</source>
        <translation>torch 的这两种布尔掩码含义恰好相反。</translation>
    </message>
    <message>
        <source>A whole document; it needs amsmath alone.</source>
        <translation>一份完整的文档，只需要 amsmath。</translation>
    </message>
    <message>
        <source>It needs torch alone. Run as it is, it prints the output that is shown here.</source>
        <translation>只需要 torch。直接运行，打印出的就是这里显示的输出。</translation>
    </message>
    <message>
        <source>Code: {kind}</source>
        <translation>代码：{kind}</translation>
    </message>
    <message>
        <source>{name} cannot be saved: {reason}.</source>
        <translation>{name} 无法保存：{reason}。</translation>
    </message>
    <message>
        <source>Save the code</source>
        <translation>保存代码</translation>
    </message>
    <message>
        <source>scene</source>
        <translation>场景</translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message>
        <source>Pin and compare</source>
        <translation>固定并比较</translation>
    </message>
    <message>
        <source>What has changed since state A, and by how much?</source>
        <translation>与状态 A 相比，哪里变了，变了多少？</translation>
    </message>
    <message>
        <source>The panels show A: {name}.</source>
        <translation>面板显示的是 A：{name}。</translation>
    </message>
    <message>
        <source>The panels show B − A: the present scene less A ({name}).</source>
        <translation>面板显示的是 B − A：当前场景减去 A（{name}）。</translation>
    </message>
    <message>
        <source>Pin A</source>
        <translation>固定为 A</translation>
    </message>
    <message>
        <source>Keep the present scene as A</source>
        <translation>把当前场景留作 A</translation>
    </message>
    <message>
        <source>Compare with a file…</source>
        <translation>与文件比较…</translation>
    </message>
    <message>
        <source>Go back to A</source>
        <translation>回到 A</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消固定</translation>
    </message>
    <message>
        <source>Unpin A</source>
        <translation>取消固定 A</translation>
    </message>
    <message>
        <source>B (now)</source>
        <translation>B（现在）</translation>
    </message>
    <message>
        <source>The panels show</source>
        <translation>面板显示</translation>
    </message>
    <message>
        <source>What differs</source>
        <translation>不同之处</translation>
    </message>
    <message>
        <source>Largest change in each stage</source>
        <translation>各阶段的最大变化</translation>
    </message>
    <message>
        <source>Pin this as A instead</source>
        <translation>改把当前场景固定为 A</translation>
    </message>
    <message>
        <source>The A that this session keeps cannot be read.</source>
        <translation>这个会话里保存的 A 无法读取。</translation>
    </message>
    <message>
        <source>Nothing is pinned yet. Pin the scene as it is, then change something.</source>
        <translation>还没有固定任何场景。先把现在的样子固定下来，再做改动。</translation>
    </message>
    <message>
        <source>A: {name}</source>
        <translation>A：{name}</translation>
    </message>
    <message>
        <source>Nothing: A and B compute the same.</source>
        <translation>没有不同：A 和 B 的计算完全一样。</translation>
    </message>
    <message>
        <source>Cannot be compared, for their shapes differ: {stages}.</source>
        <translation>形状不同，无法比较：{stages}。</translation>
    </message>
    <message>
        <source>This scene is too large to be kept inside a session.</source>
        <translation>这个场景太大，无法存进会话里。</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>Show B</source>
        <translation>显示 B</translation>
    </message>
    <message>
        <source>Show A</source>
        <translation>显示 A</translation>
    </message>
    <message>
        <source>Show B − A</source>
        <translation>显示 B − A</translation>
    </message>
    <message>
        <source>A has {shape}</source>
        <translation>A 是 {shape}</translation>
    </message>
    <message>
        <source>A bar compares the change with the largest number of its stage.</source>
        <translation>横条是变化与该阶段最大数之比。</translation>
    </message>
</context>
<context>
    <name>Controls</name>
    <message>
        <source>Set heads to %1</source>
        <translation>将头数设为 %1</translation>
    </message>
    <message>
        <source>Set K/V heads to %1</source>
        <translation>将 K/V 头数设为 %1</translation>
    </message>
    <message>
        <source>Switch mask on</source>
        <translation>打开掩码</translation>
    </message>
    <message>
        <source>Switch mask off</source>
        <translation>关闭掩码</translation>
    </message>
    <message>
        <source>Set mask to %1</source>
        <translation>将掩码设为 %1</translation>
    </message>
    <message>
        <source>Switch scale on</source>
        <translation>打开缩放</translation>
    </message>
    <message>
        <source>Switch scale off</source>
        <translation>关闭缩放</translation>
    </message>
    <message>
        <source>Set position to %1</source>
        <translation>将位置编码设为 %1</translation>
    </message>
    <message>
        <source>Set precision to %1</source>
        <translation>将精度设为 %1</translation>
    </message>
    <message>
        <source>combined</source>
        <translation>多种叠加</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头数</translation>
    </message>
    <message>
        <source>Into how many heads are the columns of W_q cut?</source>
        <translation>W_q 的列分给多少个头？</translation>
    </message>
    <message>
        <source>K/V heads</source>
        <translation>K/V 头数</translation>
    </message>
    <message>
        <source>How many heads of keys and values do the query heads share (GQA; 1 is multi-query)?</source>
        <translation>查询头共用多少个键/值头（GQA；1 即 MQA）？</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Are some keys hidden from some queries?</source>
        <translation>是否对某些查询遮住某些键？</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Are the raw scores divided by √d_k before the softmax?</source>
        <translation>做 softmax 之前，原始分数要不要除以 √d_k？</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>How does attention learn the order of the tokens?</source>
        <translation>注意力怎样知道词元的顺序？</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Which kind of number does the arithmetic run in?</source>
        <translation>用哪一种数值类型来计算？</translation>
    </message>
    <message>
        <source>Kind of mask</source>
        <translation>掩码种类</translation>
    </message>
    <message>
        <source>Which keys may each query see?</source>
        <translation>每个查询可以看到哪些键？</translation>
    </message>
    <message>
        <source>Mask options</source>
        <translation>掩码选项</translation>
    </message>
    <message>
        <source>Combine masks, change them, choose the fill.</source>
        <translation>叠加掩码、修改掩码、选择填充值。</translation>
    </message>
    <message>
        <source>Scale options</source>
        <translation>缩放选项</translation>
    </message>
    <message>
        <source>Multiply by another number, or cap the scores.</source>
        <translation>乘以别的数，或者给分数加上软上限。</translation>
    </message>
    <message>
        <source>Position options</source>
        <translation>位置编码选项</translation>
    </message>
    <message>
        <source>Change how positions are encoded.</source>
        <translation>更改位置的编码方式。</translation>
    </message>
</context>
<context>
    <name>Cost</name>
    <message>
        <source>Cost</source>
        <translation>计算量</translation>
    </message>
    <message>
        <source>What does a layer cost, and what does that depend on?</source>
        <translation>一层要花多少计算，取决于什么？</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>this scene</source>
        <translation>这个场景</translation>
    </message>
    <message>
        <source>multiply-adds</source>
        <translation>乘加次数</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>度量</translation>
    </message>
    <message>
        <source>Cost of each stage</source>
        <translation>各阶段的开销</translation>
    </message>
    <message>
        <source>K/V cache</source>
        <translation>K/V 缓存</translation>
    </message>
    <message>
        <source>over n</source>
        <translation>随 n 变化</translation>
    </message>
    <message>
        <source>over heads</source>
        <translation>随头数变化</translation>
    </message>
    <message>
        <source>Multiply-adds</source>
        <translation>乘加次数</translation>
    </message>
    <message>
        <source>What torch counts</source>
        <translation>torch 数出来的</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头数</translation>
    </message>
    <message>
        <source>Cost of {layer}</source>
        <translation>{layer}的开销</translation>
    </message>
    <message>
        <source>{heads} heads do not divide d_model = {width} evenly.</source>
        <translation>{heads} 个头不能平分 d_model = {width}。</translation>
    </message>
    <message>
        <source>Cost: {name} {value}</source>
        <translation>开销：{name} {value}</translation>
    </message>
    <message>
        <source>One layer, {shape} (batch × n × d_model), {heads} heads of width {width}.</source>
        <translation>一层，{shape}（批 × n × d_model），{heads} 个头，每个宽 {width}。</translation>
    </message>
    <message>
        <source>together</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Biases are left out. The batch and n play no part.</source>
        <translation>不计偏置。与批大小和 n 无关。</translation>
    </message>
    <message>
        <source>When every stage is kept, as in training, in {dtype}. Scores and weights grow with H·n².</source>
        <translation>像训练时那样保留每个阶段，类型 {dtype}。分数和权重随 H·n² 增长。</translation>
    </message>
    <message>
        <source>Of one sequence: 3nd² + 2n²d{last}, where d = d_model. The number of heads drops out.</source>
        <translation>一个序列：3nd² + 2n²d{last}，其中 d = d_model。头数被消掉了。</translation>
    </message>
    <message>
        <source>An a × b matrix times a b × c matrix takes a·b·c multiply-adds; this is their sum.</source>
        <translation>a × b 矩阵乘 b × c 矩阵需要 a·b·c 次乘加；这里是它们的总和。</translation>
    </message>
    <message>
        <source>{token} bytes a token in {dtype}; {whole} for the whole batch.</source>
        <translation>每个词元 {token} 字节（{dtype}）；整批 {whole}。</translation>
    </message>
    <message>
        <source>In all {layers} layers {token} bytes a token.</source>
        <translation>全部 {layers} 层，每个词元 {token} 字节。</translation>
    </message>
    <message>
        <source>projections: ∝ n</source>
        <translation>投影：∝ n</translation>
    </message>
    <message>
        <source>scores, A·V: ∝ n²</source>
        <translation>分数、A·V：∝ n²</translation>
    </message>
    <message>
        <source>The two parts are equal at n = {n}; beyond that, length is what costs.</source>
        <translation>n = {n} 时两部分相等；再长，开销就主要来自长度。</translation>
    </message>
    <message>
        <source>weights held: ∝ H</source>
        <translation>要存的权重：∝ H</translation>
    </message>
    <message>
        <source>heads</source>
        <translation>头数</translation>
    </message>
    <message>
        <source>Each of H heads is d_model/H wide, so the products cost the same; only more weights are held.</source>
        <translation>H 个头每个宽 d_model/H，所以乘积的开销不变，只是要存的权重更多。</translation>
    </message>
    <message>
        <source>Known numbers, for 32 × 1024 × 512: one head without W^O {one}; eight heads without W^O {bare}, the same; eight heads with W^O {eight}, for W^O adds nd².</source>
        <translation>已知的数（32 × 1024 × 512）：一个头、没有 W^O 是 {one}；八个头、没有 W^O 是 {bare}，一样；八个头、有 W^O 是 {eight}，因为 W^O 多出 nd²。</translation>
    </message>
    <message>
        <source>32 × 1024 × 512, one head, no W^O</source>
        <translation>32 × 1024 × 512，一个头，没有 W^O</translation>
    </message>
    <message>
        <source>32 × 1024 × 512, eight heads, W^O</source>
        <translation>32 × 1024 × 512，八个头，有 W^O</translation>
    </message>
    <message>
        <source>base Transformer</source>
        <translation>base Transformer</translation>
    </message>
    <message>
        <source>GPT-2 small</source>
        <translation>GPT-2 small</translation>
    </message>
    <message>
        <source>a 7B model (Llama 2)</source>
        <translation>7B 模型（Llama 2）</translation>
    </message>
    <message>
        <source>One layer, {shape} (batch × n × d_model), one head of width {width}.</source>
        <translation>一层，{shape}（批 × n × d_model），一个头，宽 {width}。</translation>
    </message>
    <message>
        <source>n, and the keys in proportion</source>
        <translation>n，键按比例同增</translation>
    </message>
</context>
<context>
    <name>Covers</name>
    <message>
        <source>Stop covering</source>
        <translation>停止遮盖</translation>
    </message>
    <message>
        <source>A click covers a number. Esc ends it.</source>
        <translation>单击即遮盖一个数。按 Esc 结束。</translation>
    </message>
</context>
<context>
    <name>CrossSwitch</name>
    <message>
        <source>Self-attention</source>
        <translation>自注意力</translation>
    </message>
    <message>
        <source>Cross-attention</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>Where keys and values come from</source>
        <translation>键和值从哪里来</translation>
    </message>
    <message>
        <source>Queries, keys and values all come from X</source>
        <translation>查询、键和值都来自 X</translation>
    </message>
    <message>
        <source>Queries come from X, keys and values from a context of its own length</source>
        <translation>查询来自 X，键和值来自一个长度自定的上下文</translation>
    </message>
    <message>
        <source>Switch to cross-attention</source>
        <translation>切换到交叉注意力</translation>
    </message>
    <message>
        <source>Switch to self-attention</source>
        <translation>切换到自注意力</translation>
    </message>
    <message>
        <source>The context is too large to be set aside; undo brings it back.</source>
        <translation>上下文太大，无法暂存；撤销可以恢复它。</translation>
    </message>
    <message>
        <source>the context ({tokens} tokens)</source>
        <translation>上下文（{tokens} 个词元）</translation>
    </message>
    <message>
        <source>rows of W_k and W_v ({rows})</source>
        <translation>W_k 和 W_v 的若干行（{rows}）</translation>
    </message>
    <message>
        <source>flags of the mask</source>
        <translation>掩码的标记</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Set aside until you switch back: {what}.</source>
        <translation>已暂存，切换回来时恢复：{what}。</translation>
    </message>
    <message>
        <source>numbers of the bias</source>
        <translation>偏置的数</translation>
    </message>
</context>
<context>
    <name>Curtain</name>
    <message>
        <source>The picture contains a deliberate mistake. The inspector explains what is right; it is back in the next step without one.</source>
        <translation>图中有一处故意留下的错误。检查器只解释正确的结果，到下一个没有错误的步骤再回来。</translation>
    </message>
</context>
<context>
    <name>CustomOptions</name>
    <message>
        <source>Which query (row) sees which key (column)</source>
        <translation>哪个查询（行）能看到哪个键（列）</translation>
    </message>
    <message>
        <source>Change custom mask</source>
        <translation>修改自定义掩码</translation>
    </message>
    <message>
        <source>Click or drag: hatched keys are hidden.</source>
        <translation>点击或拖动：画斜线的键被遮住。</translation>
    </message>
    <message>
        <source>%1 × %2 flags are too many to click; the session file holds them.</source>
        <translation>%1 × %2 个开关太多，没法逐个点击；它们存在会话文件里。</translation>
    </message>
</context>
<context>
    <name>EditAnswer</name>
    <message>
        <source>Do it in the window; what you do is checked as you go.</source>
        <translation>请直接在窗口里操作，做到了会马上知道。</translation>
    </message>
</context>
<context>
    <name>Example</name>
    <message>
        <source>Two tokens by hand</source>
        <translation>两个词元，亲手计算</translation>
    </message>
    <message>
        <source>The cat sat down: two heads, causal</source>
        <translation>The cat sat down：两个头，因果掩码</translation>
    </message>
    <message>
        <source>Heads own columns</source>
        <translation>每个头拥有若干列</translation>
    </message>
    <message>
        <source>A row that sees nothing</source>
        <translation>什么也看不见的一行</translation>
    </message>
    <message>
        <source>Order does not matter</source>
        <translation>顺序无所谓</translation>
    </message>
    <message>
        <source>Rotary: only the distance counts</source>
        <translation>旋转位置编码：只看距离</translation>
    </message>
    <message>
        <source>Four heads share two sets of keys</source>
        <translation>四个头共用两组键</translation>
    </message>
    <message>
        <source>Cross-attention: translating</source>
        <translation>交叉注意力：翻译</translation>
    </message>
</context>
<context>
    <name>Explanation</name>
    <message>
        <source>set by you</source>
        <translation>由你设定</translation>
    </message>
    <message>
        <source>the position added</source>
        <translation>加上位置编码</translation>
    </message>
    <message>
        <source>sum of products</source>
        <translation>乘积之和</translation>
    </message>
    <message>
        <source>the bias added</source>
        <translation>加上偏置</translation>
    </message>
    <message>
        <source>turned by its position</source>
        <translation>按位置旋转</translation>
    </message>
    <message>
        <source>divided by √d_k</source>
        <translation>除以 √d_k</translation>
    </message>
    <message>
        <source>times the scale</source>
        <translation>乘以缩放系数</translation>
    </message>
    <message>
        <source>capped softly at ±{cap}</source>
        <translation>软上限 ±{cap}</translation>
    </message>
    <message>
        <source>less the distance times the head&apos;s slope</source>
        <translation>减去距离乘以这个头的斜率</translation>
    </message>
    <message>
        <source>hidden, so replaced by {fill}</source>
        <translation>被遮住，换成 {fill}</translation>
    </message>
    <message>
        <source>hidden, so nothing</source>
        <translation>被遮住，权重为 0</translation>
    </message>
    <message>
        <source>neither scaled nor bent, so as it is</source>
        <translation>既不缩放也不加软上限，保持原样</translation>
    </message>
    <message>
        <source>visible, so as it is</source>
        <translation>可见，保持原样</translation>
    </message>
    <message>
        <source>no W_o, so as it is</source>
        <translation>没有 W_o，保持原样</translation>
    </message>
    <message>
        <source>taken over from head {head}</source>
        <translation>取自头 {head}</translation>
    </message>
    <message>
        <source>the largest of the row subtracted</source>
        <translation>减去这一行的最大值</translation>
    </message>
    <message>
        <source>exponential</source>
        <translation>取指数</translation>
    </message>
    <message>
        <source>sum over the keys</source>
        <translation>对所有键求和</translation>
    </message>
    <message>
        <source>divided by the sum</source>
        <translation>除以总和</translation>
    </message>
    <message>
        <source>rounded to {dtype}</source>
        <translation>舍入为 {dtype}</translation>
    </message>
    <message>
        <source>Hidden by {masks}: the score will be replaced, so nothing depends on it.</source>
        <translation>被{masks}遮住：这个分数会被换掉，没有什么取决于它。</translation>
    </message>
    <message>
        <source>Hidden by {masks}: {fill} stands in place of the score {score}.</source>
        <translation>被{masks}遮住：分数 {score} 换成了 {fill}。</translation>
    </message>
    <message>
        <source>Hidden by {masks}: the weight is 0 whatever the score.</source>
        <translation>被{masks}遮住：无论分数是多少，权重都是 0。</translation>
    </message>
    <message>
        <source>Hidden by {masks}, yet {fill} counts in the sum like any score.</source>
        <translation>被{masks}遮住，但 {fill} 仍像别的分数一样计入总和。</translation>
    </message>
    <message>
        <source>{token} attends to nothing: every key is hidden, so the weights are 0.</source>
        <translation>{token} 什么也不关注：所有键都被遮住，权重都是 0。</translation>
    </message>
    <message>
        <source>It is the only key that {token} may see, so its weight is 1 whatever the score.</source>
        <translation>{token} 只能看到这一个键，所以无论分数是多少，它的权重都是 1。</translation>
    </message>
    <message>
        <source>K/V head {group} is shared by heads {first}–{last}.</source>
        <translation>K/V 头 {group} 由头 {first}–{last} 共用。</translation>
    </message>
    <message>
        <source>Subtracting {top} from every score of the row leaves the weights as they are and keeps the exponentials within reach.</source>
        <translation>这一行的每个分数都减去 {top}：权重不变，指数也不会溢出。</translation>
    </message>
    <message>
        <source>Columns {first} and {second} turn together by θ = {position}·{base}^(−{power}/{dims}) = {angle}; positions count from 0.</source>
        <translation>第 {first} 列和第 {second} 列一起旋转 θ = {position}·{base}^(−{power}/{dims}) = {angle}；位置从 0 数起。</translation>
    </message>
    <message>
        <source>Cosine and sine are those of θ times the position&apos;s factor {factor}.</source>
        <translation>余弦和正弦取 θ 的值，再乘以位置编码的系数 {factor}。</translation>
    </message>
    <message>
        <source>p = {function}({position}/{base}^({power}/{width})) = {value}; positions count from 0.</source>
        <translation>p = {function}({position}/{base}^({power}/{width})) = {value}；位置从 0 数起。</translation>
    </message>
    <message>
        <source>p is in row {row} of the learned table of positions.</source>
        <translation>p 取自可学习位置表的第 {row} 行。</translation>
    </message>
    <message>
        <source>NaN arises here: {reason} has no value.</source>
        <translation>NaN 产生于此：{reason} 没有值。</translation>
    </message>
    <message>
        <source>The NaN comes from {name}.</source>
        <translation>NaN 来自 {name}。</translation>
    </message>
    <message>
        <source>{value} arises here: the result is more than {dtype} can hold.</source>
        <translation>{value} 产生于此：结果超出了 {dtype} 的范围。</translation>
    </message>
    <message>
        <source>The ∞ comes from {name}.</source>
        <translation>∞ 来自 {name}。</translation>
    </message>
    <message>
        <source>full precision: {value}</source>
        <translation>完整精度：{value}</translation>
    </message>
    <message>
        <source>{count} terms</source>
        <translation>{count} 项</translation>
    </message>
    <message>
        <source>Columns {first} and {second} turn together by θ = {position}·{frequency} = {angle}; positions count from 0.</source>
        <translation>第 {first} 列和第 {second} 列一起旋转 θ = {position}·{frequency} = {angle}；位置从 0 数起。</translation>
    </message>
    <message>
        <source>The number for the distance {distance} from the query to the key; farther than {reach} is as far as that.</source>
        <translation>从查询到键的距离 {distance} 所对应的数；更远的都按 {reach} 计。</translation>
    </message>
    <message>
        <source>sum of squares of the row</source>
        <translation>该行各数的平方和</translation>
    </message>
    <message>
        <source>their mean, and ε</source>
        <translation>取平均，再加 ε</translation>
    </message>
    <message>
        <source>the root of it</source>
        <translation>开平方根</translation>
    </message>
    <message>
        <source>divided by the root, times the norm&apos;s weight</source>
        <translation>除以该根，再乘以归一化的权重</translation>
    </message>
    <message>
        <source>{name} is the row as it was projected; its root mean square is {root}, with ε = {eps} under the root.</source>
        <translation>{name} 是投影后、归一化前的那一行；它的均方根是 {root}，根号下含 ε = {eps}。</translation>
    </message>
    <message>
        <source>the bias of this query and key added</source>
        <translation>加上这一查询和键的偏置</translation>
    </message>
</context>
<context>
    <name>Exports</name>
    <message>
        <source>the whole pipeline</source>
        <translation>整条流程</translation>
    </message>
    <message>
        <source>worksheet</source>
        <translation>练习卷</translation>
    </message>
    <message>
        <source>Copy &amp;picture</source>
        <translation>复制图片(&amp;P)</translation>
    </message>
    <message>
        <source>Copy &amp;table</source>
        <translation>复制表格(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Export picture…</source>
        <translation>导出图片(&amp;E)…</translation>
    </message>
    <message>
        <source>Export &amp;numbers…</source>
        <translation>导出数值(&amp;N)…</translation>
    </message>
    <message>
        <source>Show &amp;all heads</source>
        <translation>显示所有头(&amp;A)</translation>
    </message>
    <message>
        <source>En&amp;large head {number}</source>
        <translation>放大头 {number}(&amp;L)</translation>
    </message>
    <message>
        <source>scene</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Saved {name}</source>
        <translation>已保存 {name}</translation>
    </message>
    <message>
        <source>Printing …</source>
        <translation>正在打印 …</translation>
    </message>
    <message>
        <source>The PDF is not whole: the disk may be full.</source>
        <translation>PDF 不完整：磁盘可能已满。</translation>
    </message>
    <message>
        <source>The printer does not answer.</source>
        <translation>打印机没有响应。</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export into a folder</source>
        <translation>导出到文件夹</translation>
    </message>
    <message>
        <source>Copying …</source>
        <translation>正在复制 …</translation>
    </message>
    <message>
        <source>Saving {name} …</source>
        <translation>正在保存 {name} …</translation>
    </message>
    <message>
        <source>The picture is on the clipboard</source>
        <translation>图片已复制到剪贴板</translation>
    </message>
    <message>
        <source>The table is on the clipboard</source>
        <translation>表格已复制到剪贴板</translation>
    </message>
</context>
<context>
    <name>FileNews</name>
    <message>
        <source>{name} was changed by another program.</source>
        <translation>{name} 已被其他程序修改。</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新载入</translation>
    </message>
    <message>
        <source>Keep mine</source>
        <translation>保留我的</translation>
    </message>
    <message>
        <source>{name} is no longer there. The scene stays in this window; Save writes it anew.</source>
        <translation>{name} 已经不在了。场景仍在这个窗口里，保存即可重新写出。</translation>
    </message>
</context>
<context>
    <name>Files</name>
    <message>
        <source>scene</source>
        <translation>场景</translation>
    </message>
    <message>
        <source>Reload {name}</source>
        <translation>重新载入 {name}</translation>
    </message>
    <message>
        <source>Opening {name} …</source>
        <translation>正在打开 {name} …</translation>
    </message>
    <message>
        <source>Saving {name} …</source>
        <translation>正在保存 {name} …</translation>
    </message>
    <message>
        <source>Open a session</source>
        <translation>打开会话</translation>
    </message>
    <message>
        <source>Save the session</source>
        <translation>保存会话</translation>
    </message>
    <message>
        <source>{name} was changed by another program.</source>
        <translation>{name} 已被其他程序修改。</translation>
    </message>
    <message>
        <source>Saving replaces what it has written.</source>
        <translation>保存会覆盖它写入的内容。</translation>
    </message>
    <message>
        <source>Replace it</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Save elsewhere…</source>
        <translation>存到别处…</translation>
    </message>
    <message>
        <source>This scene</source>
        <translation>这个场景</translation>
    </message>
    <message>
        <source>{name} has changes that are not saved.</source>
        <translation>{name} 有未保存的更改。</translation>
    </message>
    <message>
        <source>Save them before going on?</source>
        <translation>继续之前要保存吗？</translation>
    </message>
</context>
<context>
    <name>Fill</name>
    <message>
        <source>Zeros</source>
        <translation>全 0</translation>
    </message>
    <message>
        <source>Ones</source>
        <translation>全 1</translation>
    </message>
    <message>
        <source>Identity</source>
        <translation>单位矩阵</translation>
    </message>
    <message>
        <source>Random, even from −1 to 1</source>
        <translation>随机：−1 到 1 均匀分布</translation>
    </message>
    <message>
        <source>Random, normal</source>
        <translation>随机：正态分布</translation>
    </message>
    <message>
        <source>Random, scaled normal (Xavier)</source>
        <translation>随机：Xavier 正态分布</translation>
    </message>
</context>
<context>
    <name>FlagModel</name>
    <message>
        <source>%1: seen</source>
        <translation>%1：可见</translation>
    </message>
    <message>
        <source>%1: hidden</source>
        <translation>%1：遮住</translation>
    </message>
</context>
<context>
    <name>Foot</name>
    <message>
        <source>Copy the exact value</source>
        <translation>复制精确值</translation>
    </message>
    <message>
        <source>Copy the arithmetic as text</source>
        <translation>将算式复制为文本</translation>
    </message>
    <message>
        <source>Copy the formula as LaTeX</source>
        <translation>将公式复制为 LaTeX</translation>
    </message>
    <message>
        <source>Copy ▾</source>
        <translation>复制 ▾</translation>
    </message>
    <message>
        <source>Decimals</source>
        <translation>小数位数</translation>
    </message>
    <message>
        <source>&amp;Decimals</source>
        <translation>小数位数(&amp;D)</translation>
    </message>
</context>
<context>
    <name>Formula</name>
    <message>
        <source>, turned</source>
        <translation>，旋转后</translation>
    </message>
    <message>
        <source> + bias</source>
        <translation> + 偏置</translation>
    </message>
</context>
<context>
    <name>GoalSeek</name>
    <message>
        <source>Goal seek</source>
        <translation>目标求解</translation>
    </message>
    <message>
        <source>Which matrices would make this number what I want it to be?</source>
        <translation>矩阵要变成什么样，这个数才会是我想要的？</translation>
    </message>
    <message>
        <source>Take the chosen number</source>
        <translation>采用所选的数</translation>
    </message>
    <message>
        <source>this number</source>
        <translation>这个数</translation>
    </message>
    <message>
        <source>the whole row</source>
        <translation>整行</translation>
    </message>
    <message>
        <source>The goal</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>shall become</source>
        <translation>应当变成</translation>
    </message>
    <message>
        <source>Wanted number, or numbers of the row</source>
        <translation>想要的数，或一行数</translation>
    </message>
    <message>
        <source>by changing</source>
        <translation>可以改动</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Distance from the goal over the steps</source>
        <translation>每一步与目标的距离</translation>
    </message>
    <message>
        <source>Gradient descent, live; one undo step. What is not ticked does not change.</source>
        <translation>实时梯度下降，一次即可撤销。没有勾选的不会变。</translation>
    </message>
    <message>
        <source>Set the goal</source>
        <translation>设定目标</translation>
    </message>
    <message>
        <source>Choose a number in the panels first.</source>
        <translation>请先在面板里选一个数。</translation>
    </message>
    <message>
        <source>{count} numbers are wanted here.</source>
        <translation>这里需要 {count} 个数。</translation>
    </message>
    <message>
        <source>Stopped: the scene was changed meanwhile.</source>
        <translation>已停止：其间场景被改动了。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Choose a number in the panels: a weight, or one of the output.</source>
        <translation>请在面板里选一个数：一个权重，或一个输出。</translation>
    </message>
    <message>
        <source>row {row}</source>
        <translation>第 {row} 行</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在求解…</translation>
    </message>
    <message>
        <source>Step {step}: still {miss} to go.</source>
        <translation>第 {step} 步：还差 {miss}。</translation>
    </message>
    <message>
        <source>near enough</source>
        <translation>足够接近</translation>
    </message>
    <message>
        <source>distance from the goal</source>
        <translation>与目标的距离</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>One number is wanted here.</source>
        <translation>这里需要一个数。</translation>
    </message>
</context>
<context>
    <name>GradientsTool</name>
    <message>
        <source>Gradients and saturation</source>
        <translation>梯度与饱和</translation>
    </message>
    <message>
        <source>Which inputs does a number answer to, and why are scores divided by √d_k?</source>
        <translation>一个数对哪些输入有反应？分数为什么要除以 √d_k？</translation>
    </message>
    <message>
        <source>gradient</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>softmax of a row</source>
        <translation>一行的 softmax</translation>
    </message>
    <message>
        <source>why √d_k</source>
        <translation>为什么除以 √d_k</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Random q and k of unit variance, eight keys a query: the scores spread like √d_k, and softmax of widely spread scores picks one key and has next to no gradient.</source>
        <translation>随机的 q 和 k，方差为 1，每个查询八个键：分数的离散程度像 √d_k 一样增长，而分数相差很大时，softmax 只挑中一个键，几乎没有梯度。</translation>
    </message>
    <message>
        <source>Show {what}</source>
        <translation>显示{what}</translation>
    </message>
    <message>
        <source>Choose a number in the panels: a weight, or one of the output.</source>
        <translation>请在面板里选一个数：一个权重，或一个输出。</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>{cell} = {value}: what it gains when a number below grows by 1, as far as a line can tell.</source>
        <translation>{cell} = {value}：下面某个数增加 1 时它会增加多少（按切线估计）。</translation>
    </message>
    <message>
        <source>One scale of colours for all: ±{largest}.</source>
        <translation>所有矩阵共用一个色标：±{largest}。</translation>
    </message>
    <message>
        <source>It answers to nothing here: every derivative is 0.</source>
        <translation>这里没有什么能影响它：所有导数都是 0。</translation>
    </message>
    <message>
        <source>gradient · {matrix}</source>
        <translation>梯度 · {matrix}</translation>
    </message>
    <message>
        <source>Choose a weight or a score in the panels: its row goes through softmax.</source>
        <translation>请在面板里选一个权重或分数：它所在的行要经过 softmax。</translation>
    </message>
    <message>
        <source>Softmax of row “{token}”, {head}: what each weight gains when a score grows by 1.</source>
        <translation>“{token}”这一行的 softmax，{head}：某个分数增加 1 时，每个权重会增加多少。</translation>
    </message>
    <message>
        <source>Size (Frobenius norm) {norm}, of 0.5 at most. Near 0 softmax is saturated: nothing is learned.</source>
        <translation>大小（Frobenius 范数）{norm}，最大 0.5。接近 0 时 softmax 已饱和：学不到东西。</translation>
    </message>
    <message>
        <source>derivative of each weight by each score</source>
        <translation>每个权重对每个分数的导数</translation>
    </message>
</context>
<context>
    <name>GridCommands</name>
    <message>
        <source>Fill {cells}: {kind}</source>
        <translation>填充 {cells}：{kind}</translation>
    </message>
    <message>
        <source> (seed {seed})</source>
        <translation>（种子 {seed}）</translation>
    </message>
    <message>
        <source>Clear {cells}</source>
        <translation>清零 {cells}</translation>
    </message>
    <message>
        <source>Copying …</source>
        <translation>正在复制 …</translation>
    </message>
    <message>
        <source>Pasting …</source>
        <translation>正在粘贴 …</translation>
    </message>
    <message>
        <source>The pasted table is {rows} × {cols} and reaches beyond {name}. Grow it? ({sizes}; all else follows.)</source>
        <translation>粘贴的表格是 {rows} × {cols}，超出了 {name}。要扩大它吗？（{sizes}；其余随之改变。）</translation>
    </message>
    <message>
        <source>Paste into {cells}</source>
        <translation>粘贴到 {cells}</translation>
    </message>
    <message>
        <source>Insert token {number}</source>
        <translation>插入词元 {number}</translation>
    </message>
    <message>
        <source>Delete token {number}</source>
        <translation>删除词元 {number}</translation>
    </message>
    <message>
        <source>Move token {number}</source>
        <translation>移动词元 {number}</translation>
    </message>
    <message>
        <source>Rename token {number}</source>
        <translation>重命名词元 {number}</translation>
    </message>
    <message>
        <source>Resize {size} to {value}</source>
        <translation>将 {size} 改为 {value}</translation>
    </message>
    <message>
        <source>Add {name}</source>
        <translation>添加 {name}</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>移除 {name}</translation>
    </message>
    <message>
        <source>Another size</source>
        <translation>改变大小</translation>
    </message>
</context>
<context>
    <name>GridMenu</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>剪切</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Import table…</source>
        <translation>导入表格…</translation>
    </message>
    <message>
        <source>Fill</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Fill selection</source>
        <translation>填充选区</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>移除 {name}</translation>
    </message>
    <message>
        <source>Seed of the random numbers</source>
        <translation>随机数种子</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Add token</source>
        <translation>添加词元</translation>
    </message>
    <message>
        <source>Insert token above</source>
        <translation>在上方插入词元</translation>
    </message>
    <message>
        <source>Insert token below</source>
        <translation>在下方插入词元</translation>
    </message>
    <message>
        <source>Delete tokens</source>
        <translation>删除所选词元</translation>
    </message>
    <message>
        <source>Delete token</source>
        <translation>删除词元</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Rename token…</source>
        <translation>重命名词元…</translation>
    </message>
    <message>
        <source>Grow {size} to {value}</source>
        <translation>将 {size} 增至 {value}</translation>
    </message>
    <message>
        <source>Shrink {size} to {value}</source>
        <translation>将 {size} 减至 {value}</translation>
    </message>
</context>
<context>
    <name>Grids</name>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>{count} heads × {size}</source>
        <translation>{count} 个头 × {size}</translation>
    </message>
    <message>
        <source>Edit {cell}</source>
        <translation>编辑 {cell}</translation>
    </message>
    <message>
        <source>{name} would be {shape}; a grid grows to {most} at most.</source>
        <translation>{name} 会变成 {shape}；表格最大只能到 {most}。</translation>
    </message>
    <message>
        <source>{name} is one row; {rows} rows do not fit in.</source>
        <translation>{name} 只有一行，放不下 {rows} 行。</translation>
    </message>
    <message>
        <source>{name} would have {count} rows, which {heads} heads cannot share evenly.</source>
        <translation>{name} 会有 {count} 行，{heads} 个头不能平分。</translation>
    </message>
    <message>
        <source>{name} would have {count} columns, which {heads} heads cannot share evenly.</source>
        <translation>{name} 会有 {count} 列，{heads} 个头不能平分。</translation>
    </message>
</context>
<context>
    <name>Grouped</name>
    <message>
        <source>Grouped K/V heads</source>
        <translation>分组 K/V 头</translation>
    </message>
    <message>
        <source>Which query heads read the same keys and values, and what does sharing save?</source>
        <translation>哪些查询头读取同样的键和值？共享能省下多少？</translation>
    </message>
    <message>
        <source>K/V heads</source>
        <translation>K/V 头</translation>
    </message>
    <message>
        <source>K/V cache, bytes a token</source>
        <translation>K/V 缓存：每个词元的字节数</translation>
    </message>
    <message>
        <source>What becomes of W_k and W_v</source>
        <translation>W_k 和 W_v 会怎样</translation>
    </message>
    <message>
        <source>Fewer K/V heads: those that are joined become their mean. More: each is repeated, and the output stays. Stepping back brings the matrices back as they were, until you change them, the heads or the file; undo always does.</source>
        <translation>K/V 头变少：合并的头取平均。变多：每个头重复，输出不变。退回去时矩阵恢复原样，除非您改了矩阵、头数或换了文件；撤销则总能恢复。</translation>
    </message>
    <message>
        <source>There is one query head, so there is nothing to share: choose more heads above.</source>
        <translation>只有一个查询头，没有什么可共享：请在上方选更多的头。</translation>
    </message>
    <message>
        <source>Multi-head attention (MHA): each query head has keys and values of its own.</source>
        <translation>多头注意力（MHA）：每个查询头都有自己的键和值。</translation>
    </message>
    <message>
        <source>Multi-query attention (MQA): all {heads} query heads read the same keys and values.</source>
        <translation>多查询注意力（MQA）：全部 {heads} 个查询头读取同样的键和值。</translation>
    </message>
    <message>
        <source>Grouped-query attention (GQA): {share} query heads each read one K/V head. Counted from 0, head h reads ⌊h·G/H⌋ = ⌊h·{groups}/{heads}⌋.</source>
        <translation>分组查询注意力（GQA）：每 {share} 个查询头读取一个 K/V 头。从 0 数起，第 h 个头读取 ⌊h·G/H⌋ = ⌊h·{groups}/{heads}⌋。</translation>
    </message>
    <message>
        <source>G·(d_k + d_v)·bytes = {sum} = {now} in {dtype}.</source>
        <translation>G·(d_k + d_v)·字节数 = {sum} = {now}（{dtype}）。</translation>
    </message>
    <message>
        <source>Multi-head attention keeps {most}, {times} times as much.</source>
        <translation>多头注意力要 {most}，是它的 {times} 倍。</translation>
    </message>
</context>
<context>
    <name>GuessBox</name>
    <message>
        <source>Your guess</source>
        <translation>你的猜测</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Reveal</source>
        <translation>揭开</translation>
    </message>
    <message>
        <source>What is {name}?</source>
        <translation>{name}是多少？</translation>
    </message>
</context>
<context>
    <name>Guide</name>
    <message>
        <source>For &amp;students</source>
        <translation>写给学生(&amp;S)</translation>
    </message>
    <message>
        <source>For &amp;lecturers</source>
        <translation>写给教师(&amp;L)</translation>
    </message>
</context>
<context>
    <name>Heads</name>
    <message>
        <source>entropy {value} bit</source>
        <translation>熵 {value} 比特</translation>
    </message>
    <message>
        <source>attention to the first token {value}</source>
        <translation>对第一个词元的关注 {value}</translation>
    </message>
    <message>
        <source>to the previous token {value}</source>
        <translation>对前一个词元 {value}</translation>
    </message>
    <message>
        <source>to itself {value}</source>
        <translation>对自身 {value}</translation>
    </message>
    <message>
        <source>A sink: on average the queries put {share} % of their weight on “{token}”.</source>
        <translation>汇聚头：各查询平均把 {share} % 的权重放在“{token}”上。</translation>
    </message>
    <message>
        <source>sink: {share} % on “{token}”</source>
        <translation>汇聚：{share} % 在“{token}”</translation>
    </message>
    <message>
        <source>{bits} bit</source>
        <translation>{bits} 比特</translation>
    </message>
    <message>
        <source>entropy, the sharpest first</source>
        <translation>熵，最集中的在前</translation>
    </message>
    <message>
        <source>attention to the first token</source>
        <translation>对第一个词元的关注</translation>
    </message>
    <message>
        <source>attention to the previous token</source>
        <translation>对前一个词元的关注</translation>
    </message>
    <message>
        <source>attention to itself</source>
        <translation>对自身的关注</translation>
    </message>
    <message>
        <source>head number</source>
        <translation>头的编号</translation>
    </message>
</context>
<context>
    <name>Importer</name>
    <message>
        <source>These are {count} files, and {name} takes one.</source>
        <translation>这里有 {count} 个文件，而 {name} 只收一个。</translation>
    </message>
    <message>
        <source>Reading {name} …</source>
        <translation>正在读取 {name} …</translation>
    </message>
    <message>
        <source>Fill all matrices from {file}</source>
        <translation>用 {file} 填充全部矩阵</translation>
    </message>
    <message>
        <source>The table is {rows} × {cols}. Give {name} that size? ({sizes}; all else follows.)</source>
        <translation>表格是 {rows} × {cols}。要把 {name} 改成这个大小吗？（{sizes}；其余随之改变。）</translation>
    </message>
    <message>
        <source>Import {file} into {name}</source>
        <translation>将 {file} 导入 {name}</translation>
    </message>
    <message>
        <source>Import a table into {name}</source>
        <translation>将表格导入 {name}</translation>
    </message>
    <message>
        <source>Tables and arrays ({files})</source>
        <translation>表格和数组 ({files})</translation>
    </message>
    <message>
        <source>All files</source>
        <translation>所有文件</translation>
    </message>
</context>
<context>
    <name>Inputs</name>
    <message>
        <source>Projections</source>
        <translation>投影</translation>
    </message>
    <message>
        <source>W_o (off: the output is the concat)</source>
        <translation>W_o（关闭时，输出就是拼接结果）</translation>
    </message>
    <message>
        <source>bias {name}</source>
        <translation>偏置 {name}</translation>
    </message>
    <message>
        <source>Add {name}</source>
        <translation>添加 {name}</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>移除 {name}</translation>
    </message>
    <message>
        <source>This X is made up: random numbers. What the model gets is seen after an import with a text.</source>
        <translation>这个 X 是编造的随机数。带文字导入后，才能看到模型真正得到的数。</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Back along the trail</source>
        <translation>沿来路后退</translation>
    </message>
    <message>
        <source>Covered: guess it first. Click it, or press Enter on it.</source>
        <translation>已盖住：先猜一猜。点击它，或者选中它后按 Enter。</translation>
    </message>
    <message>
        <source>Computing …</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>of the scene before</source>
        <translation>属于之前的场景</translation>
    </message>
    <message>
        <source>computing …</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>… {count} more</source>
        <translation>… 另有 {count} 个</translation>
    </message>
</context>
<context>
    <name>Invitation</name>
    <message>
        <source>New here?</source>
        <translation>第一次来？</translation>
    </message>
    <message>
        <source>Start with lesson 1</source>
        <translation>从第 1 课开始</translation>
    </message>
    <message>
        <source>No, thank you</source>
        <translation>不用了，谢谢</translation>
    </message>
</context>
<context>
    <name>KeysDialog</name>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>Find a key or what it does</source>
        <translation>查找按键或功能</translation>
    </message>
    <message>
        <source>What it does</source>
        <translation>功能</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>In X and the weights</source>
        <translation>在 X 和权重中</translation>
    </message>
    <message>
        <source>from number to number; with Ctrl to the edge, with Shift select</source>
        <translation>逐个数字移动；加 Ctrl 到边缘，加 Shift 选择</translation>
    </message>
    <message>
        <source>type over the number</source>
        <translation>直接键入，替换数字</translation>
    </message>
    <message>
        <source>change the number as it stands</source>
        <translation>修改现有的数字</translation>
    </message>
    <message>
        <source>take the number; on down, on to the right (back with Shift)</source>
        <translation>确认数字，再向下、向右移动（加 Shift 反向）</translation>
    </message>
    <message>
        <source>give up what is being typed</source>
        <translation>放弃正在键入的内容</translation>
    </message>
    <message>
        <source>a step of 0.1 up or down</source>
        <translation>增减 0.1</translation>
    </message>
    <message>
        <source>move the token</source>
        <translation>移动词元</translation>
    </message>
    <message>
        <source>copy, cut, paste, as a spreadsheet does</source>
        <translation>复制、剪切、粘贴，与电子表格相同</translation>
    </message>
    <message>
        <source>set to 0</source>
        <translation>置为 0</translation>
    </message>
    <message>
        <source>out of the grid</source>
        <translation>离开表格</translation>
    </message>
    <message>
        <source>In the panels</source>
        <translation>在面板中</translation>
    </message>
    <message>
        <source>from panel to panel</source>
        <translation>逐个面板移动</translation>
    </message>
    <message>
        <source>from number to number, and its arithmetic</source>
        <translation>逐个数字移动，并显示其算式</translation>
    </message>
    <message>
        <source>to the edges</source>
        <translation>到边缘</translation>
    </message>
    <message>
        <source>choose the number again; guess it where it is covered</source>
        <translation>再次选中该数字；被遮住时则猜测它</translation>
    </message>
    <message>
        <source>zoom within the panel</source>
        <translation>在面板内缩放</translation>
    </message>
    <message>
        <source>from one head back to all</source>
        <translation>从单个头回到全部</translation>
    </message>
    <message>
        <source>In the inspector</source>
        <translation>在检查器中</translation>
    </message>
    <message>
        <source>back to the number before</source>
        <translation>回到前一个数字</translation>
    </message>
    <message>
        <source>copy the exact value</source>
        <translation>复制精确值</translation>
    </message>
    <message>
        <source>copy the arithmetic as text</source>
        <translation>将算式复制为文本</translation>
    </message>
    <message>
        <source>In a lesson</source>
        <translation>在课程中</translation>
    </message>
    <message>
        <source>next step, previous step; PgDown and PgUp, too</source>
        <translation>下一步、上一步；也可用 PgDown 和 PgUp</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>While presenting</source>
        <translation>讲解时</translation>
    </message>
    <message>
        <source>Space, → or N</source>
        <translation>空格、→ 或 N</translation>
    </message>
    <message>
        <source>next stage</source>
        <translation>下一阶段</translation>
    </message>
    <message>
        <source>previous stage</source>
        <translation>上一阶段</translation>
    </message>
    <message>
        <source>first stage, last stage</source>
        <translation>第一阶段、最后阶段</translation>
    </message>
    <message>
        <source>another head</source>
        <translation>换一个头</translation>
    </message>
    <message>
        <source>cover what is new, to be guessed</source>
        <translation>遮住新内容，供猜测</translation>
    </message>
    <message>
        <source>other colours</source>
        <translation>更换配色</translation>
    </message>
    <message>
        <source>larger, smaller, usual size</source>
        <translation>放大、缩小、恢复大小</translation>
    </message>
    <message>
        <source>undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>end</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Heads side by side, words and their lines</source>
        <translation>并排的头、词与连线</translation>
    </message>
    <message>
        <source>from head to head, from word to word</source>
        <translation>从头到头，从词到词</translation>
    </message>
    <message>
        <source>enlarge the head; choose the strongest line of the word</source>
        <translation>放大该头；选择该词最强的连线</translation>
    </message>
    <message>
        <source>back to the heads, back to the panels</source>
        <translation>回到各头，回到面板</translation>
    </message>
    <message>
        <source>the layer before, the next layer: of an open folder, or of the model</source>
        <translation>上一层、下一层：打开的文件夹里的，或模型的</translation>
    </message>
</context>
<context>
    <name>Kind</name>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>causal</source>
        <translation>因果</translation>
    </message>
    <message>
        <source>padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>custom</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>sinusoidal</source>
        <translation>正弦</translation>
    </message>
    <message>
        <source>learned</source>
        <translation>可学习</translation>
    </message>
    <message>
        <source>rotary</source>
        <translation>旋转</translation>
    </message>
    <message>
        <source>ALiBi</source>
        <translation>ALiBi</translation>
    </message>
    <message>
        <source>a query sees the keys up to its own position</source>
        <translation>查询只看到自己位置及之前的键</translation>
    </message>
    <message>
        <source>some keys are hidden from every query</source>
        <translation>某些键对所有查询都遮住</translation>
    </message>
    <message>
        <source>a query sees the keys around its own position</source>
        <translation>查询只看到自己位置附近的键</translation>
    </message>
    <message>
        <source>any table: which query sees which key</source>
        <translation>任意一张表：哪个查询看到哪个键</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>相对距离</translation>
    </message>
</context>
<context>
    <name>Lab</name>
    <message>
        <source>← All tools</source>
        <translation>← 所有工具</translation>
    </message>
    <message>
        <source>All tools</source>
        <translation>所有工具</translation>
    </message>
    <message>
        <source>It needs all numbers at once; this scene has too many.</source>
        <translation>它需要一次用到全部数字，而这个场景的数字太多。</translation>
    </message>
</context>
<context>
    <name>LabRoom</name>
    <message>
        <source>Lab</source>
        <translation>实验室</translation>
    </message>
    <message>
        <source>Lab ▾</source>
        <translation>实验室 ▾</translation>
    </message>
    <message>
        <source>Tools that compare, break, bend and cost the scene</source>
        <translation>用来比较、改错、调整和估算这个场景的工具</translation>
    </message>
    <message>
        <source>Show what was computed</source>
        <translation>显示实际计算结果</translation>
    </message>
    <message>
        <source>Pin A</source>
        <translation>固定为 A</translation>
    </message>
    <message>
        <source>Keep the present scene as A</source>
        <translation>把当前场景留作 A</translation>
    </message>
</context>
<context>
    <name>LayerBar</name>
    <message>
        <source>The layer before (Alt+PgUp)</source>
        <translation>上一层（Alt+PgUp）</translation>
    </message>
    <message>
        <source>The next layer (Alt+PgDown)</source>
        <translation>下一层（Alt+PgDown）</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Forward pass</source>
        <translation>前向计算</translation>
    </message>
    <message>
        <source>this layer</source>
        <translation>这一层</translation>
    </message>
    <message>
        <source>all layers</source>
        <translation>所有层</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>{done} of {count} layers read …</source>
        <translation>已读取 {done}/{count} 层…</translation>
    </message>
    <message>
        <source>other sessions</source>
        <translation>其他会话</translation>
    </message>
    <message>
        <source>call {call}, item {item}</source>
        <translation>第 {call} 次调用，第 {item} 项</translation>
    </message>
    <message>
        <source>layers of the folder</source>
        <translation>文件夹中的层</translation>
    </message>
</context>
<context>
    <name>LayerFolder</name>
    <message>
        <source>{name} cannot be read: {why}.</source>
        <translation>无法读取 {name}：{why}。</translation>
    </message>
    <message>
        <source>There is no session (.attn.json) in {name}; a capture writes one for each layer.</source>
        <translation>{name} 中没有会话（.attn.json）；捕获会为每一层写一个。</translation>
    </message>
</context>
<context>
    <name>LearnedOptions</name>
    <message>
        <source>Added to X, one row per position</source>
        <translation>加到 X 上，每个位置一行</translation>
    </message>
    <message>
        <source>Added to the context</source>
        <translation>加到上下文上</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>全 0</translation>
    </message>
    <message>
        <source>Random</source>
        <translation>随机</translation>
    </message>
    <message>
        <source>Edit position table [%1,%2]</source>
        <translation>编辑位置表 [%1,%2]</translation>
    </message>
    <message>
        <source>Fill position table with zeros</source>
        <translation>位置表全部填 0</translation>
    </message>
    <message>
        <source>Fill position table at random (seed %1)</source>
        <translation>位置表随机填充（种子 %1）</translation>
    </message>
</context>
<context>
    <name>Leftovers</name>
    <message>
        <source>“{title}” was not saved when the program ended; its last state is still there.</source>
        <translation>程序结束时“{title}”没有保存，它最后的状态还在。</translation>
    </message>
    <message>
        <source>{count} scenes were not saved when the program ended; their last state is still there.</source>
        <translation>程序结束时有 {count} 个场景没有保存，它们最后的状态还在。</translation>
    </message>
    <message>
        <source>Show…</source>
        <translation>显示…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Opening {name} …</source>
        <translation>正在打开 {name} …</translation>
    </message>
</context>
<context>
    <name>LeftoversDialog</name>
    <message>
        <source>Unsaved work</source>
        <translation>未保存的工作</translation>
    </message>
    <message>
        <source>The program ended before these scenes were saved. What is left here waits for the next start.</source>
        <translation>程序结束时，这些场景还没有保存。留在这里的会等到下次启动。</translation>
    </message>
    <message>
        <source>Open all</source>
        <translation>全部打开</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>{time} · damaged: {problem}</source>
        <translation>{time} · 已损坏：{problem}</translation>
    </message>
    <message>
        <source>{time} · never saved</source>
        <translation>{time} · 从未保存</translation>
    </message>
</context>
<context>
    <name>Legend</name>
    <message>
        <source>seen</source>
        <translation>可见</translation>
    </message>
    <message>
        <source>hidden by it alone</source>
        <translation>只由它遮住</translation>
    </message>
    <message>
        <source>by others too</source>
        <translation>也被其他遮住</translation>
    </message>
</context>
<context>
    <name>Lens</name>
    <message>
        <source>The inspector explains what was computed.</source>
        <translation>检查器解释的是实际计算结果。</translation>
    </message>
</context>
<context>
    <name>LessonEnd</name>
    <message>
        <source>✓ Lesson finished.</source>
        <translation>✓ 这一课学完了。</translation>
    </message>
    <message>
        <source>One question is still open, in step {number}.</source>
        <translation>还有一个问题没答，在第 {number} 步。</translation>
    </message>
    <message>
        <source>Questions are still open, in steps {numbers}.</source>
        <translation>还有问题没答，在第 {numbers} 步。</translation>
    </message>
    <message>
        <source>Go to step {number}</source>
        <translation>转到第 {number} 步</translation>
    </message>
</context>
<context>
    <name>LessonMenu</name>
    <message>
        <source>Open a lesson &amp;file…</source>
        <translation>打开课程文件(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Next step</source>
        <translation>下一步(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Previous step</source>
        <translation>上一步(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Go to the question</source>
        <translation>转到问题(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Close the lesson</source>
        <translation>结束课程(&amp;C)</translation>
    </message>
    <message>
        <source>Finished. {summary}</source>
        <translation>已学完。{summary}</translation>
    </message>
    <message>
        <source>Continue: {title}, step {number}</source>
        <translation>继续：{title}，第 {number} 步</translation>
    </message>
    <message>
        <source>Open a lesson</source>
        <translation>打开课程</translation>
    </message>
    <message>
        <source>Lessons (*.toml)</source>
        <translation>课程 (*.toml)</translation>
    </message>
</context>
<context>
    <name>LessonPane</name>
    <message>
        <source>The picture contains a deliberate mistake: it shows what a faulty program prints.</source>
        <translation>图中有一处故意留下的错误：显示的是一个写错的程序给出的结果。</translation>
    </message>
    <message>
        <source>Words of the lesson</source>
        <translation>课文</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>The step before (Alt+←)</source>
        <translation>上一步（Alt+←）</translation>
    </message>
    <message>
        <source>Back to this step&apos;s scene</source>
        <translation>恢复本步的场景</translation>
    </message>
    <message>
        <source>You changed the scene. The step is about its own numbers; this brings them back.</source>
        <translation>你改动了场景。这一步讲的是它自己的数字，点这里恢复它们。</translation>
    </message>
    <message>
        <source>step {number} of {count}</source>
        <translation>第 {number} 步，共 {count} 步</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>The question stays open; you can come back to it (Alt+→).</source>
        <translation>问题先留着，以后可以再回来（Alt+→）。</translation>
    </message>
    <message>
        <source>The next step (Alt+→)</source>
        <translation>下一步（Alt+→）</translation>
    </message>
    <message>
        <source>Next lesson</source>
        <translation>下一课</translation>
    </message>
    <message>
        <source>Lesson {number}: {title}</source>
        <translation>第 {number} 课：{title}</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Back to your own scene</source>
        <translation>回到你自己的场景</translation>
    </message>
</context>
<context>
    <name>LessonPlay</name>
    <message>
        <source>Lesson: step {number}</source>
        <translation>课程：第 {number} 步</translation>
    </message>
</context>
<context>
    <name>Lessons</name>
    <message>
        <source>Lessons ▾</source>
        <translation>课程 ▾</translation>
    </message>
    <message>
        <source>Lessons to play through, each with questions</source>
        <translation>可以一步步学完的课程，每课都有问题</translation>
    </message>
    <message>
        <source>Lesson {number} · {title}</source>
        <translation>第 {number} 课 · {title}</translation>
    </message>
    <message>
        <source>Lesson · {title}</source>
        <translation>课程 · {title}</translation>
    </message>
    <message>
        <source>The lesson is closed; your own scene is back.</source>
        <translation>课程已结束，你自己的场景回来了。</translation>
    </message>
    <message>
        <source>Take the lesson&apos;s scene instead</source>
        <translation>改用课程的场景</translation>
    </message>
    <message>
        <source>Take the lesson&apos;s scene</source>
        <translation>采用课程的场景</translation>
    </message>
</context>
<context>
    <name>LicencesDialog</name>
    <message>
        <source>Licence texts</source>
        <translation>许可证全文</translation>
    </message>
</context>
<context>
    <name>Lines</name>
    <message>
        <source>Words and what they look at</source>
        <translation>词以及它们看向何处</translation>
    </message>
    <message>
        <source>queries: who looks</source>
        <translation>查询：谁在看</translation>
    </message>
    <message>
        <source>keys: what is looked at</source>
        <translation>键：被看的</translation>
    </message>
    <message>
        <source>query {number} “{token}”</source>
        <translation>查询 {number}“{token}”</translation>
    </message>
    <message>
        <source>key {number} “{token}”</source>
        <translation>键 {number}“{token}”</translation>
    </message>
    <message>
        <source>attends to nothing</source>
        <translation>什么也不关注</translation>
    </message>
</context>
<context>
    <name>Main</name>
    <message>
        <source>Something went wrong inside the program ({what}). Your work is still here; save it.</source>
        <translation>程序内部出错了（{what}）。你的工作还在，请保存。</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Controls</source>
        <translation>控件</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Present step by step</source>
        <translation>逐步演示</translation>
    </message>
    <message>
        <source>Present step by step (F5)</source>
        <translation>逐步演示（F5）</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>未命名</translation>
    </message>
</context>
<context>
    <name>Map</name>
    <message>
        <source>largest of {rows} × {cols} cells here: {value}</source>
        <translation>此处 {rows} × {cols} 个单元格中的最大值：{value}</translation>
    </message>
    <message>
        <source>mean of {rows} × {cols} cells here: {value}</source>
        <translation>此处 {rows} × {cols} 个单元格的平均值：{value}</translation>
    </message>
</context>
<context>
    <name>MapBar</name>
    <message>
        <source>largest</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均值</translation>
    </message>
    <message>
        <source>What a tile shows of its cells</source>
        <translation>一个色块显示其单元格的什么</translation>
    </message>
    <message>
        <source>A tile stands for many cells: it shows the largest of them, or their mean</source>
        <translation>一个色块代表许多单元格：显示其中的最大值，或它们的平均值</translation>
    </message>
    <message>
        <source>Find a token</source>
        <translation>查找词元</translation>
    </message>
    <message>
        <source>A token or its number. Enter goes to the next row of that name, Shift+Enter to the next column</source>
        <translation>词元或其编号。回车转到下一个同名的行，Shift+回车转到下一个同名的列</translation>
    </message>
    <message>
        <source>Strongest weight</source>
        <translation>最大的权重</translation>
    </message>
    <message>
        <source>Go to the largest weight of the head</source>
        <translation>转到该头中最大的权重</translation>
    </message>
    <message>
        <source>Exact pictures</source>
        <translation>精确图像</translation>
    </message>
    <message>
        <source>Tiles:</source>
        <translation>色块：</translation>
    </message>
    <message>
        <source>no token “{text}”</source>
        <translation>没有词元“{text}”</translation>
    </message>
    <message>
        <source>{number} of {count}</source>
        <translation>第 {number} 个，共 {count} 个</translation>
    </message>
    <message>
        <source>{value} · row {row}, column {col}</source>
        <translation>{value} · 第 {row} 行，第 {col} 列</translation>
    </message>
    <message>
        <source>Not computed</source>
        <translation>未计算</translation>
    </message>
    <message>
        <source>These pictures are of the scene before</source>
        <translation>这些图属于之前的场景</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Exactly</source>
        <translation>精确计算</translation>
    </message>
    <message>
        <source>The coarse picture is enough</source>
        <translation>粗略的图像就够了</translation>
    </message>
    <message>
        <source>Compute the exact picture</source>
        <translation>计算精确的图像</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Keep the pictures of the scene before</source>
        <translation>保留之前场景的图</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Compute this scene after all</source>
        <translation>还是计算这个场景</translation>
    </message>
</context>
<context>
    <name>MaskMap</name>
    <message>
        <source>mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>hidden by %1</source>
        <translation>被 %1 遮住</translation>
    </message>
    <message>
        <source>seen</source>
        <translation>可见</translation>
    </message>
</context>
<context>
    <name>MaskName</name>
    <message>
        <source>the causal mask</source>
        <translation>因果掩码</translation>
    </message>
    <message>
        <source>the padding mask</source>
        <translation>填充掩码</translation>
    </message>
    <message>
        <source>the window mask</source>
        <translation>窗口掩码</translation>
    </message>
    <message>
        <source>the custom mask</source>
        <translation>自定义掩码</translation>
    </message>
    <message>
        <source> and </source>
        <translation>和</translation>
    </message>
</context>
<context>
    <name>MaskParts</name>
    <message>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>hides {hidden} of {total} cells, {alone} of them alone</source>
        <translation>遮住 {total} 格中的 {hidden} 格，其中 {alone} 格只由它遮住</translation>
    </message>
    <message>
        <source>hides {hidden}</source>
        <translation>遮住 {hidden}</translation>
    </message>
    <message>
        <source>{seen} of {total} cells are seen</source>
        <translation>{total} 格中有 {seen} 格可见</translation>
    </message>
</context>
<context>
    <name>MaskPen</name>
    <message>
        <source>Show key “%1”</source>
        <translation>显示键“%1”</translation>
    </message>
    <message>
        <source>Hide key “%1”</source>
        <translation>遮住键“%1”</translation>
    </message>
    <message>
        <source>Change window</source>
        <translation>更改窗口</translation>
    </message>
    <message>
        <source>Show cells of the mask</source>
        <translation>显示掩码的格</translation>
    </message>
    <message>
        <source>Hide cells of the mask</source>
        <translation>遮住掩码的格</translation>
    </message>
</context>
<context>
    <name>MaskPopover</name>
    <message>
        <source>A key is seen where every ticked mask lets it be seen.</source>
        <translation>所有勾选的掩码都放行，键才可见。</translation>
    </message>
    <message>
        <source>A hidden score becomes</source>
        <translation>被遮住的分数换成</translation>
    </message>
    <message>
        <source>another number</source>
        <translation>其他数</translation>
    </message>
    <message>
        <source>Add %1 mask</source>
        <translation>添加%1掩码</translation>
    </message>
    <message>
        <source>Remove %1 mask</source>
        <translation>移除%1掩码</translation>
    </message>
    <message>
        <source>Set mask fill to %1</source>
        <translation>将掩码填充值设为 %1</translation>
    </message>
    <message>
        <source>Row %1 sees no key: with −∞ its weights are 0, with a finite fill 1/m.</source>
        <translation>行 %1 看不到任何键：填 −∞ 时权重为 0，填有限的数时为 1/m。</translation>
    </message>
    <message>
        <source>Rows %1 see no key: with −∞ their weights are 0, with a finite fill 1/m.</source>
        <translation>行 %1 看不到任何键：填 −∞ 时权重为 0，填有限的数时为 1/m。</translation>
    </message>
    <message>
        <source>Rows %1 and %2 more see no key: with −∞ their weights are 0, with a finite fill 1/m.</source>
        <translation>行 %1 以及另外 %2 行看不到任何键：填 −∞ 时权重为 0，填有限的数时为 1/m。</translation>
    </message>
</context>
<context>
    <name>Masks</name>
    <message>
        <source>Masks</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Which query sees which key, what does each mask hide, and how does torch want it?</source>
        <translation>哪个查询看得见哪个键，每种掩码遮住什么，torch 又要怎样写？</translation>
    </message>
    <message>
        <source>Make it one painted mask</source>
        <translation>合成一个手绘掩码</translation>
    </message>
    <message>
        <source>Click or drag to paint, Shift+drag a rectangle; click a key&apos;s label to hide the key; drag the window&apos;s dots; Shift+wheel zooms. Keys: arrows and Space, Shift+arrows for a block, P for the key, + and −.</source>
        <translation>单击或拖动来绘制，Shift+拖动画矩形；单击键的标签遮住这个键；拖动窗口的圆点；Shift+滚轮缩放。按键：方向键和空格，Shift+方向键选一块，P 遮住键，+ 和 −。</translation>
    </message>
    <message>
        <source>The same mask for torch</source>
        <translation>同一个掩码在 torch 中</translation>
    </message>
    <message>
        <source>Add %1 mask</source>
        <translation>添加%1掩码</translation>
    </message>
    <message>
        <source>Remove %1 mask</source>
        <translation>移除%1掩码</translation>
    </message>
    <message>
        <source>This cell is hidden by %1: painting alone cannot show it.</source>
        <translation>这一格被 %1 遮住：单靠绘制不能让它可见。</translation>
    </message>
    <message>
        <source>Spell the mask: {how}</source>
        <translation>掩码的写法：{how}</translation>
    </message>
    <message>
        <source>Paint on the panels too (Esc ends)</source>
        <translation>也在面板上绘制（Esc 结束）</translation>
    </message>
</context>
<context>
    <name>Matrix</name>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>query projection</source>
        <translation>查询投影</translation>
    </message>
    <message>
        <source>key projection</source>
        <translation>键投影</translation>
    </message>
    <message>
        <source>value projection</source>
        <translation>值投影</translation>
    </message>
    <message>
        <source>output projection</source>
        <translation>输出投影</translation>
    </message>
    <message>
        <source>query bias</source>
        <translation>查询偏置</translation>
    </message>
    <message>
        <source>key bias</source>
        <translation>键偏置</translation>
    </message>
    <message>
        <source>value bias</source>
        <translation>值偏置</translation>
    </message>
    <message>
        <source>output bias</source>
        <translation>输出偏置</translation>
    </message>
</context>
<context>
    <name>MatrixGrid</name>
    <message>
        <source>Matrix {name}</source>
        <translation>矩阵 {name}</translation>
    </message>
    <message>
        <source>Tab goes from number to number, Ctrl+Tab on to what comes next.</source>
        <translation>Tab 在数字之间移动，Ctrl+Tab 移到下一个控件。</translation>
    </message>
</context>
<context>
    <name>MatrixSection</name>
    <message>
        <source>Menu of {name}</source>
        <translation>{name} 的菜单</translation>
    </message>
    <message>
        <source>Fill, resize, copy, paste, import</source>
        <translation>填充、改变大小、复制、粘贴、导入</translation>
    </message>
    <message>
        <source>Add {name}</source>
        <translation>添加 {name}</translation>
    </message>
    <message>
        <source>None: the output is the joined heads as they are.</source>
        <translation>没有：输出就是拼接后的各个头。</translation>
    </message>
    <message>
        <source>None: keys and values come from X (self-attention).</source>
        <translation>没有：键和值来自 X（自注意力）。</translation>
    </message>
    <message>
        <source>None: nothing is added.</source>
        <translation>没有：什么也不加。</translation>
    </message>
</context>
<context>
    <name>ModelBar</name>
    <message>
        <source>layer {number} ({first} to {last})</source>
        <translation>第 {number} 层（{first} 到 {last}）</translation>
    </message>
    <message>
        <source>Reading layer {number} …</source>
        <translation>正在读取第 {number} 层……</translation>
    </message>
    <message>
        <source>{path} is not there any more, and the other layers of the model with it.</source>
        <translation>{path} 已不在那里，模型的其他层也随之读不到了。</translation>
    </message>
    <message>
        <source>There is not enough memory for this layer.</source>
        <translation>内存不足以容纳这一层。</translation>
    </message>
    <message>
        <source>Go to layer {number} of {model}</source>
        <translation>转到 {model} 的第 {number} 层</translation>
    </message>
</context>
<context>
    <name>ModelDialog</name>
    <message>
        <source>Import a layer of a model</source>
        <translation>导入模型的一层</translation>
    </message>
    <message>
        <source>A folder with config.json and .safetensors or .bin files, or one such file. Only the chosen layer is read; nothing is fetched.</source>
        <translation>含有 config.json 和 .safetensors 或 .bin 文件的文件夹，或一个这样的文件。只读取所选的层；不从网络获取任何东西。</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>left empty: made-up numbers</source>
        <translation>留空：编造的数</translation>
    </message>
    <message>
        <source>what the decoder reads</source>
        <translation>解码器读入的文字</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>系列</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头数</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Second text</source>
        <translation>第二段文字</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>Folder of a model</source>
        <translation>模型的文件夹</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>File of a model</source>
        <translation>模型的文件</translation>
    </message>
    <message>
        <source>{count} heads do not divide the width evenly; possible: {counts}.</source>
        <translation>{count} 个头不能平分这个宽度；可以是：{counts}。</translation>
    </message>
    <message>
        <source>The files do not tell how many heads there are: choose the number.</source>
        <translation>文件没有说明有多少个头：请选择头数。</translation>
    </message>
    <message>
        <source>{count} heads of width {width}</source>
        <translation>{count} 个头，宽 {width}</translation>
    </message>
    <message>
        <source>K/V heads {count}</source>
        <translation>K/V 头数 {count}</translation>
    </message>
    <message>
        <source>This executable has no model library, so that X is made up. From source it takes a text.</source>
        <translation>这个可执行程序不含模型库，因此 X 是编造的。从源代码运行时可以输入文字。</translation>
    </message>
    <message>
        <source>X is made up. For a text, install the extra: pip install &quot;attention-explorer[models]&quot;</source>
        <translation>X 是编造的。要用文字，请安装附加组件：pip install &quot;attention-explorer[models]&quot;</translation>
    </message>
    <message>
        <source>There is not enough memory for this layer.</source>
        <translation>内存不足以容纳这一层。</translation>
    </message>
    <message>
        <source>{first} to {last}, counted as in the model&apos;s own names</source>
        <translation>{first} 到 {last}，按模型自己的名称计数</translation>
    </message>
</context>
<context>
    <name>Nudger</name>
    <message>
        <source>Nudge {cells}</source>
        <translation>微调 {cells}</translation>
    </message>
</context>
<context>
    <name>NumberAnswer</name>
    <message>
        <source>Your answer</source>
        <translation>你的答案</translation>
    </message>
    <message>
        <source>0.5, 1/3, sqrt(2)/2 …</source>
        <translation>0.5、1/3、sqrt(2)/2 …</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
</context>
<context>
    <name>NumberCard</name>
    <message>
        <source>← made of</source>
        <translation>← 来自</translation>
    </message>
    <message>
        <source>→ used by</source>
        <translation>→ 用于</translation>
    </message>
    <message>
        <source>Reaches {places}</source>
        <translation>影响到 {places}</translation>
    </message>
</context>
<context>
    <name>NumberEditor</name>
    <message>
        <source>“{text}” was not taken. {reason}.</source>
        <translation>“{text}”没有被采用。{reason}。</translation>
    </message>
</context>
<context>
    <name>NumbersDialog</name>
    <message>
        <source>Export numbers</source>
        <translation>导出数值</translation>
    </message>
    <message>
        <source>every stage</source>
        <translation>所有阶段</translation>
    </message>
    <message>
        <source>CSV: for spreadsheets, with labels</source>
        <translation>CSV：用于电子表格，带标签</translation>
    </message>
    <message>
        <source>npz: for NumPy</source>
        <translation>npz：用于 NumPy</translation>
    </message>
    <message>
        <source>safetensors: for PyTorch and others</source>
        <translation>safetensors：用于 PyTorch 等</translation>
    </message>
    <message>
        <source>JSON: readable text</source>
        <translation>JSON：可读文本</translation>
    </message>
    <message>
        <source>Numbers of</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>A folder with one file per stage.</source>
        <translation>一个文件夹，每个阶段一个文件。</translation>
    </message>
    <message>
        <source>One file, in full precision.</source>
        <translation>一个文件，完整精度。</translation>
    </message>
</context>
<context>
    <name>Overview</name>
    <message>
        <source>All heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>L{layer} H{head}</source>
        <translation>层{layer} 头{head}</translation>
    </message>
    <message>
        <source>layer {layer} · {head}</source>
        <translation>第 {layer} 层 · {head}</translation>
    </message>
</context>
<context>
    <name>PaddingOptions</name>
    <message>
        <source>Keys that may be seen</source>
        <translation>可以看到的键</translation>
    </message>
    <message>
        <source>Change padding</source>
        <translation>修改填充掩码</translation>
    </message>
</context>
<context>
    <name>Panel</name>
    <message>
        <source>row {row} · column {col}</source>
        <translation>行 {row} · 列 {col}</translation>
    </message>
    <message>
        <source>covered: click to guess the number</source>
        <translation>已盖住：点击来猜这个数</translation>
    </message>
    <message>
        <source>hidden by the mask</source>
        <translation>被掩码遮住</translation>
    </message>
    <message>
        <source>this row attends to nothing</source>
        <translation>这一行什么也不关注</translation>
    </message>
    <message>
        <source>too many numbers to be shown here</source>
        <translation>数字太多，无法在此显示</translation>
    </message>
</context>
<context>
    <name>Part</name>
    <message>
        <source>encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>decoder, cross-attention</source>
        <translation>解码器，交叉注意力</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>images</source>
        <translation>图像</translation>
    </message>
</context>
<context>
    <name>Parts</name>
    <message>
        <source>W^O taken apart</source>
        <translation>拆开 W^O</translation>
    </message>
    <message>
        <source>What does each head add to the output, and what is left without it?</source>
        <translation>每个头给输出贡献了什么？少了它还剩什么？</translation>
    </message>
    <message>
        <source>Switched off: {heads}. The output is what the others make.</source>
        <translation>已关闭：{heads}。输出由其余的头得出。</translation>
    </message>
    <message>
        <source>Heads that count</source>
        <translation>起作用的头</translation>
    </message>
    <message>
        <source>what each adds</source>
        <translation>各自的贡献</translation>
    </message>
    <message>
        <source>what each key sends</source>
        <translation>每个键送出多少</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Switch on {head}</source>
        <translation>打开{head}</translation>
    </message>
    <message>
        <source>Switch off {head}</source>
        <translation>关闭{head}</translation>
    </message>
    <message>
        <source>The output is the sum over the heads of head·W^O_h, and of b_o where there is one.</source>
        <translation>输出是各个头的 head·W^O_h 之和；如果有 b_o，再加上它。</translation>
    </message>
    <message>
        <source>Beside the weights α the length ‖α·v·W^O_h‖: a large weight on a short value moves little.</source>
        <translation>除了权重 α，还有长度 ‖α·v·W^O_h‖：权重再大，值很短也影响不大。</translation>
    </message>
    <message>
        <source>All heads count. Switch one off to see what is left.</source>
        <translation>所有头都起作用。关掉一个，看看还剩什么。</translation>
    </message>
    <message>
        <source>Without them the output changes by up to {change}; its largest number is {largest}.</source>
        <translation>没有它们，输出最多改变 {change}；输出中最大的数是 {largest}。</translation>
    </message>
    <message>
        <source>what {head} adds</source>
        <translation>{head}的贡献</translation>
    </message>
    <message>
        <source>what each key sends · {head}</source>
        <translation>每个键送出多少 · {head}</translation>
    </message>
</context>
<context>
    <name>PictureDialog</name>
    <message>
        <source>Export picture</source>
        <translation>导出图片</translation>
    </message>
    <message>
        <source>PNG: pixels</source>
        <translation>PNG：像素图</translation>
    </message>
    <message>
        <source>SVG: vectors for the web and for drawing</source>
        <translation>SVG：矢量图，用于网页和绘图</translation>
    </message>
    <message>
        <source>PDF: vectors for print and for LaTeX</source>
        <translation>PDF：矢量图，用于打印和 LaTeX</translation>
    </message>
    <message>
        <source> dpi</source>
        <translation> dpi</translation>
    </message>
    <message>
        <source> pixels wide</source>
        <translation> 像素宽</translation>
    </message>
    <message>
        <source>As in the window</source>
        <translation>与窗口相同</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>Transparent background</source>
        <translation>透明背景</translation>
    </message>
    <message>
        <source>Frames of the selection</source>
        <translation>显示所选的框线</translation>
    </message>
    <message>
        <source>Picture of</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>分辨率</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>配色</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>{width} × {height} mm</source>
        <translation>{width} × {height} mm</translation>
    </message>
    <message>
        <source>, {width} × {height} pixels</source>
        <translation>，{width} × {height} 像素</translation>
    </message>
</context>
<context>
    <name>Pipeline</name>
    <message>
        <source>head {number}</source>
        <translation>头 {number}</translation>
    </message>
    <message>
        <source>joined</source>
        <translation>合并</translation>
    </message>
</context>
<context>
    <name>Place</name>
    <message>
        <source>all heads</source>
        <translation>所有头</translation>
    </message>
    <message>
        <source>K/V head {number}</source>
        <translation>K/V 头 {number}</translation>
    </message>
    <message>
        <source>head {number}</source>
        <translation>头 {number}</translation>
    </message>
    <message>
        <source>K/V heads {number}</source>
        <translation>K/V 头 {number}</translation>
    </message>
    <message>
        <source>heads {number}</source>
        <translation>头 {number}</translation>
    </message>
    <message>
        <source> and </source>
        <translation>和</translation>
    </message>
    <message>
        <source>row {number}</source>
        <translation>第 {number} 行</translation>
    </message>
    <message>
        <source>rows {number}</source>
        <translation>第 {number} 行</translation>
    </message>
    <message>
        <source>column {number}</source>
        <translation>第 {number} 列</translation>
    </message>
    <message>
        <source>columns {number}</source>
        <translation>第 {number} 列</translation>
    </message>
    <message>
        <source>, </source>
        <translation> </translation>
    </message>
    <message>
        <source>row {row} · column {col}</source>
        <translation>第 {row} 行 · 第 {col} 列</translation>
    </message>
</context>
<context>
    <name>Positions</name>
    <message>
        <source>Positions</source>
        <translation>位置编码</translation>
    </message>
    <message>
        <source>How does attention learn where a token stands, and which numbers change by it?</source>
        <translation>注意力怎样知道词元的位置？哪些数因此而变？</translation>
    </message>
    <message>
        <source>Kind of position</source>
        <translation>位置编码的种类</translation>
    </message>
    <message>
        <source>Look at other positions</source>
        <translation>查看位置编码的另一处</translation>
    </message>
    <message>
        <source>Nothing says where a token stands: attention sees a set, and reordered tokens give reordered outputs.</source>
        <translation>没有什么说明词元的位置：注意力看到的是一个集合，词元换了顺序，输出也只是换了顺序。</translation>
    </message>
    <message>
        <source>A fixed table is added to the input, one row per position p from 0: waves that grow longer from column to column.</source>
        <translation>把一张固定的表加到输入上，每个位置 p 一行，从 0 数起：各列是越来越长的波。</translation>
    </message>
    <message>
        <source>A table of trainable numbers is added to the input, one row per position. Type into it.</source>
        <translation>把一张可训练的表加到输入上，每个位置一行。可以直接输入数值。</translation>
    </message>
    <message>
        <source>Nothing is added. In each head, pairs of columns of q and k turn by an angle θ that grows with the position p from 0.</source>
        <translation>什么也不加。在每个头里，q 和 k 的列两两成对旋转角度 θ，θ 随位置 p 增大，从 0 数起。</translation>
    </message>
    <message>
        <source>Each head takes off its scaled scores the distance of the two tokens times its slope m.</source>
        <translation>每个头从缩放后的分数中减去两个词元的距离乘以该头的斜率 m。</translation>
    </message>
    <message>
        <source>Each head adds to its scaled scores a trainable number for the distance from query to key; far ones share the last.</source>
        <translation>每个头按查询到键的距离给缩放后的分数加上一个可训练的数；太远的共用最后一个。</translation>
    </message>
</context>
<context>
    <name>Presenter</name>
    <message>
        <source>Presenting</source>
        <translation>演示</translation>
    </message>
    <message>
        <source>head {number} of {count}</source>
        <translation>头 {number}（共 {count} 个）</translation>
    </message>
    <message>
        <source>mask: {kinds}</source>
        <translation>掩码：{kinds}</translation>
    </message>
    <message>
        <source>Space next · ← back · ↑↓ head · P predict · C colours · Ctrl +/− size · Esc leave</source>
        <translation>空格 下一步 · ← 上一步 · ↑↓ 换头 · P 先猜再看 · C 配色 · Ctrl +/− 大小 · Esc 退出</translation>
    </message>
    <message>
        <source>Space next · ← back · P predict · C colours · Ctrl +/− size · Esc leave</source>
        <translation>空格 下一步 · ← 上一步 · P 先猜再看 · C 配色 · Ctrl +/− 大小 · Esc 退出</translation>
    </message>
</context>
<context>
    <name>Problem</name>
    <message>
        <source>A number may have at most {most} characters; this has {count}</source>
        <translation>一个数最多 {most} 个字符，这里有 {count} 个</translation>
    </message>
    <message>
        <source>Expected a number, but there is no text</source>
        <translation>这里应当是一个数，却什么也没有</translation>
    </message>
    <message>
        <source>The &apos;)&apos; at character {at} closes no bracket</source>
        <translation>第 {at} 个字符的“)”没有对应的左括号</translation>
    </message>
    <message>
        <source>Expected an operator between &apos;{before}&apos; and &apos;{after}&apos; at character {at}</source>
        <translation>第 {at} 个字符处，“{before}”和“{after}”之间缺少运算符</translation>
    </message>
    <message>
        <source>Division by zero at character {at}</source>
        <translation>第 {at} 个字符处除以了零</translation>
    </message>
    <message>
        <source>Division by zero: 0 to a negative power at character {at}</source>
        <translation>除以了零：第 {at} 个字符处是 0 的负数次幂</translation>
    </message>
    <message>
        <source>A negative number to a fractional power at character {at} is no real number</source>
        <translation>第 {at} 个字符处，负数的分数次幂不是实数</translation>
    </message>
    <message>
        <source>The root of a negative number at character {at} is no real number</source>
        <translation>第 {at} 个字符处，负数的平方根不是实数</translation>
    </message>
    <message>
        <source>Infinities cancel at character {at}, so the result has no value</source>
        <translation>第 {at} 个字符处无穷大相互抵消，结果没有值</translation>
    </message>
    <message>
        <source>The result at character {at} is too large for a 64-bit number</source>
        <translation>第 {at} 个字符处的结果太大，64 位数放不下</translation>
    </message>
    <message>
        <source>Expected &apos;(&apos; after &apos;sqrt&apos; at character {at}, as in sqrt(2)</source>
        <translation>第 {at} 个字符的“sqrt”后面要有“(”，例如 sqrt(2)</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; at character {at} is not a number</source>
        <translation>第 {at} 个字符处的“{text}”不是数</translation>
    </message>
    <message>
        <source>The &apos;(&apos; at character {at} is never closed</source>
        <translation>第 {at} 个字符的“(”没有右括号</translation>
    </message>
    <message>
        <source>Expected &apos;)&apos; before &apos;{text}&apos; at character {at}</source>
        <translation>第 {at} 个字符处，“{text}”前面缺少“)”</translation>
    </message>
    <message>
        <source>Brackets and powers may be nested {most} deep at most</source>
        <translation>括号和乘方最多嵌套 {most} 层</translation>
    </message>
    <message>
        <source>Expected a number at the end</source>
        <translation>末尾缺少一个数</translation>
    </message>
    <message>
        <source>Expected a number after &apos;{before}&apos; at the end</source>
        <translation>末尾的“{before}”后面缺少一个数</translation>
    </message>
    <message>
        <source>Expected a number, but found &apos;{text}&apos; at character {at}</source>
        <translation>第 {at} 个字符处应当是一个数，却是“{text}”</translation>
    </message>
    <message>
        <source>Expected a number after &apos;{before}&apos;, but found &apos;{text}&apos; at character {at}</source>
        <translation>“{before}”后面应当是一个数，第 {at} 个字符却是“{text}”</translation>
    </message>
    <message>
        <source>A decimal is written with a point, not a comma (at character {at})</source>
        <translation>小数要用点号，不用逗号（第 {at} 个字符）</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; at character {at} has no meaning in a number</source>
        <translation>第 {at} 个字符处的“{text}”在数里没有意义</translation>
    </message>
    <message>
        <source>Expected digits after &apos;{text}&apos;, as in 1e-3</source>
        <translation>“{text}”后面缺少数字，例如 1e-3</translation>
    </message>
    <message>
        <source>The text has {count} characters; at most {most} are read</source>
        <translation>文本有 {count} 个字符，最多读取 {most} 个</translation>
    </message>
    <message>
        <source>There is no table in this text: it is empty</source>
        <translation>文本里没有表格：它是空的</translation>
    </message>
    <message>
        <source>There is no table in this text: every cell is empty</source>
        <translation>文本里没有表格：所有单元格都是空的</translation>
    </message>
    <message>
        <source>The first row has {count} labels for {columns} columns</source>
        <translation>第一行有 {count} 个标签，而表格有 {columns} 列</translation>
    </message>
    <message>
        <source>Row {row} has {count} numbers where row {other} has {width}</source>
        <translation>第 {row} 行有 {count} 个数，而第 {other} 行有 {width} 个</translation>
    </message>
    <message>
        <source>Row {row}, column {column} holds &apos;{text}&apos;: {problem}</source>
        <translation>第 {row} 行第 {column} 列是“{text}”：{problem}</translation>
    </message>
    <message>
        <source>Row {row}, column {column} is empty</source>
        <translation>第 {row} 行第 {column} 列是空的</translation>
    </message>
    <message>
        <source>The table has more than {most} numbers, which is more than a grid takes</source>
        <translation>表格里的数超过 {most} 个，放不进去</translation>
    </message>
    <message>
        <source>The table has more than {most} cells that are no plain numbers</source>
        <translation>表格里不是普通数字的单元格超过 {most} 个</translation>
    </message>
    <message>
        <source>Line {line} cannot be read: {problem}</source>
        <translation>第 {line} 行读不懂：{problem}</translation>
    </message>
    <message>
        <source>This printout is shortened with &apos;...&apos;; print it in full first, with {call} or {other}</source>
        <translation>这份输出用“...”省略了一部分；请先用 {call} 或 {other} 完整打印出来</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; after the last bracket is not part of a printout</source>
        <translation>最后一个括号后面的“{text}”不属于打印输出</translation>
    </message>
    <message>
        <source>Row {row} of the printout is not as deep in brackets as row 1</source>
        <translation>打印输出的第 {row} 行与第 1 行的括号层数不同</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; stands outside the innermost brackets</source>
        <translation>“{text}”在最内层括号之外</translation>
    </message>
    <message>
        <source>The brackets of this printout don&apos;t match; was it copied whole?</source>
        <translation>打印输出的括号不配对；是不是没有复制完整？</translation>
    </message>
    <message>
        <source>This printout holds {count} tables ({axes} axes); copy one of them</source>
        <translation>打印输出里有 {count} 张表（{axes} 个轴）；请只复制其中一张</translation>
    </message>
    <message>
        <source>This printout holds no numbers</source>
        <translation>打印输出里没有数</translation>
    </message>
    <message>
        <source>it cannot be read: {reason}</source>
        <translation>无法读取：{reason}</translation>
    </message>
    <message>
        <source>it cannot be saved: {reason}</source>
        <translation>无法保存：{reason}</translation>
    </message>
    <message>
        <source>there is no such file or folder</source>
        <translation>没有这个文件或文件夹</translation>
    </message>
    <message>
        <source>a file is where its folder should be</source>
        <translation>应当是文件夹的地方是一个文件</translation>
    </message>
    <message>
        <source>it is a folder</source>
        <translation>它是一个文件夹</translation>
    </message>
    <message>
        <source>permission is denied</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>the disk is read-only</source>
        <translation>磁盘是只读的</translation>
    </message>
    <message>
        <source>the disk is full</source>
        <translation>磁盘已满</translation>
    </message>
    <message>
        <source>the disk quota is used up</source>
        <translation>磁盘配额已用完</translation>
    </message>
    <message>
        <source>the file would be too large</source>
        <translation>文件会太大</translation>
    </message>
    <message>
        <source>the name is too long</source>
        <translation>名称太长</translation>
    </message>
    <message>
        <source>it is no ordinary file</source>
        <translation>它不是普通文件</translation>
    </message>
    <message>
        <source>the session is read from it</source>
        <translation>会话正是从它读取的</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>它是空的</translation>
    </message>
    <message>
        <source>it is larger than {size} MB, which is no session</source>
        <translation>它超过 {size} MB，不会是会话文件</translation>
    </message>
    <message>
        <source>it is not UTF-8 text: byte {number} is {value}</source>
        <translation>它不是 UTF-8 文本：第 {number} 个字节是 {value}</translation>
    </message>
    <message>
        <source>it is not JSON: line {line}, column {column}, {problem}</source>
        <translation>它不是 JSON：第 {line} 行第 {column} 列，{problem}</translation>
    </message>
    <message>
        <source>expecting value</source>
        <translation>此处应当有一个值</translation>
    </message>
    <message>
        <source>expecting {mark} delimiter</source>
        <translation>此处应当是分隔符 {mark}</translation>
    </message>
    <message>
        <source>expecting property name enclosed in double quotes</source>
        <translation>此处应当是用双引号括起的键名</translation>
    </message>
    <message>
        <source>unterminated string starting at</source>
        <translation>从此处开始的字符串没有结束</translation>
    </message>
    <message>
        <source>extra data</source>
        <translation>结尾之后还有多余内容</translation>
    </message>
    <message>
        <source>it is nested deeper than {most} levels</source>
        <translation>它的嵌套超过 {most} 层</translation>
    </message>
    <message>
        <source>it holds more than {most} values or {lists} lists</source>
        <translation>它超过 {most} 个值或 {lists} 个列表</translation>
    </message>
    <message>
        <source>the key &quot;{key}&quot; appears more than once</source>
        <translation>键“{key}”出现了不止一次</translation>
    </message>
    <message>
        <source>it holds {value} but must hold an object with the keys of a session</source>
        <translation>它的内容是{value}，但必须是含有会话各键的对象</translation>
    </message>
    <message>
        <source>format is missing; a session has {wanted} there</source>
        <translation>缺少 format；会话文件在那里写的是 {wanted}</translation>
    </message>
    <message>
        <source>it was saved by a newer version: format is {value}, and this one reads {known}</source>
        <translation>它由更新的版本保存：format 是 {value}，而本版本只读 {known}</translation>
    </message>
    <message>
        <source>context_tokens is set, but there is no context</source>
        <translation>设了 context_tokens，却没有 context</translation>
    </message>
    <message>
        <source>{key} is missing</source>
        <translation>缺少 {key}</translation>
    </message>
    <message>
        <source>{key} row {row} is empty</source>
        <translation>{key} 的第 {row} 行是空的</translation>
    </message>
    <message>
        <source>{key} row {row} is {value} but must be a list</source>
        <translation>{key} 的第 {row} 行是{value}，但必须是列表</translation>
    </message>
    <message>
        <source>{key} row {row} has length {length} but row 1 has length {wanted}</source>
        <translation>{key} 的第 {row} 行长度为 {length}，而第 1 行长度为 {wanted}</translation>
    </message>
    <message>
        <source>{key} has no rows but must be a table: a list of rows</source>
        <translation>{key} 没有行，但必须是表格，也就是由行组成的列表</translation>
    </message>
    <message>
        <source>{key} has no numbers but must be a list of numbers</source>
        <translation>{key} 没有数，但必须是数的列表</translation>
    </message>
    <message>
        <source>{key} is {value}, which is more than float64 holds</source>
        <translation>{key} 是 {value}，超出了 float64 的范围</translation>
    </message>
    <message>
        <source>{key} is an object but must be a list, or {form}</source>
        <translation>{key} 是对象，但必须是列表，或 {form}</translation>
    </message>
    <message>
        <source>{key} lies in {file}, and a text has no files beside it</source>
        <translation>{key} 在 {file} 里，而一段文本旁边没有文件</translation>
    </message>
    <message>
        <source>{key} lies in {file}, which is not in the session&apos;s folder</source>
        <translation>{key} 在 {file} 里，但它不在会话文件所在的文件夹中</translation>
    </message>
    <message>
        <source>{key} lies in {file}, which cannot be read: {reason}</source>
        <translation>{key} 在 {file} 里，但无法读取：{reason}</translation>
    </message>
    <message>
        <source>{key} lies in {file}: {problem}</source>
        <translation>{key} 在 {file} 里：{problem}</translation>
    </message>
    <message>
        <source>{key} in {file} has shape {shape} but must have {rank} dimensions</source>
        <translation>{file} 里的 {key} 形状是 {shape}，但必须是 {rank} 维</translation>
    </message>
    <message>
        <source>{key} in {file} must be {rule}</source>
        <translation>{file} 里的 {key} 必须是{rule}</translation>
    </message>
    <message>
        <source>it has no tensor &quot;{key}&quot;; it has {keys}</source>
        <translation>里面没有张量“{key}”，有的是 {keys}</translation>
    </message>
    <message>
        <source>it is not a whole safetensors file</source>
        <translation>它不是完整的 safetensors 文件</translation>
    </message>
    <message>
        <source>there is not enough memory for it</source>
        <translation>内存不够</translation>
    </message>
    <message>
        <source>It is no text</source>
        <translation>它不是文本</translation>
    </message>
    <message>
        <source>it is larger than {size} MB, which is more than a grid takes</source>
        <translation>它超过 {size} MB，放不进表格</translation>
    </message>
    <message>
        <source>it is larger than {size} MB, and from a torch before 1.6</source>
        <translation>它超过 {size} MB，而且来自 1.6 之前的 torch</translation>
    </message>
    <message>
        <source>it holds no tensors</source>
        <translation>里面没有张量</translation>
    </message>
    <message>
        <source>it is no npy file</source>
        <translation>它不是 npy 文件</translation>
    </message>
    <message>
        <source>it is no whole archive</source>
        <translation>它不是完整的压缩包</translation>
    </message>
    <message>
        <source>it is no whole torch file</source>
        <translation>它不是完整的 torch 文件</translation>
    </message>
    <message>
        <source>it is packed, which torch does not do</source>
        <translation>它被压缩过，而 torch 不会这样做</translation>
    </message>
    <message>
        <source>it is a pickle that torch.save has not written, and such files are never loaded</source>
        <translation>它是 pickle，但不是 torch.save 写的；这样的文件从不加载</translation>
    </message>
    <message>
        <source>it is a TorchScript program, and only tensors are read from such a file</source>
        <translation>它是 TorchScript 程序，而这类文件只读取张量</translation>
    </message>
    <message>
        <source>it is a spreadsheet&apos;s own file; copy the cells there, or save them as CSV</source>
        <translation>它是电子表格自己的文件；请在那里复制单元格，或另存为 CSV</translation>
    </message>
    <message>
        <source>it has no tensor &quot;{key}&quot;</source>
        <translation>里面没有张量“{key}”</translation>
    </message>
    <message>
        <source>it has more than {most} tensors</source>
        <translation>它的张量超过 {most} 个</translation>
    </message>
    <message>
        <source>it holds {value}, and only tensors are read from such a file</source>
        <translation>里面有 {value}，而这类文件只读取张量</translation>
    </message>
    <message>
        <source>it claims {count} numbers, which it does not hold</source>
        <translation>它声称有 {count} 个数，实际却没有</translation>
    </message>
    <message>
        <source>it claims a directory too large to be true</source>
        <translation>它声称的目录大得不可能</translation>
    </message>
    <message>
        <source>it has {count} members; at most {most} are read</source>
        <translation>它有 {count} 个成员，最多读取 {most} 个</translation>
    </message>
    <message>
        <source>its member {key} is packed in a way that is not read</source>
        <translation>其中的成员 {key} 的压缩方式不支持读取</translation>
    </message>
    <message>
        <source>its member {key} claims {count} bytes and holds {found}</source>
        <translation>其中的成员 {key} 声称有 {count} 字节，实际有 {found}</translation>
    </message>
    <message>
        <source>its list of tensors has {count} bytes; at most {most} are read</source>
        <translation>它的张量列表有 {count} 字节，最多读取 {most}</translation>
    </message>
    <message>
        <source>its header claims {count} bytes; at most {most} are read</source>
        <translation>它的文件头声称有 {count} 字节，最多读取 {most}</translation>
    </message>
    <message>
        <source>its tensors overlap</source>
        <translation>其中的张量相互重叠</translation>
    </message>
    <message>
        <source>its tensor &quot;{key}&quot; is not described as it must be</source>
        <translation>其中的张量“{key}”描述不合规范</translation>
    </message>
    <message>
        <source>its tensor &quot;{key}&quot; reaches past the end of the file</source>
        <translation>其中的张量“{key}”超出了文件末尾</translation>
    </message>
    <message>
        <source>its tensor &quot;{key}&quot; claims more or fewer numbers than it holds</source>
        <translation>其中的张量“{key}”声称的数的个数与实际不符</translation>
    </message>
    <message>
        <source>torch cannot read it: {problem}</source>
        <translation>torch 无法读取：{problem}</translation>
    </message>
    <message>
        <source>{what} has {count} numbers; at most {most} are read</source>
        <translation>{what}有 {count} 个数，最多读取 {most} 个</translation>
    </message>
    <message>
        <source>{what} has the type {type}, which is not read</source>
        <translation>{what}的类型是 {type}，不支持读取</translation>
    </message>
    <message>
        <source>{what} has a header that cannot be read</source>
        <translation>{what}的文件头无法读取</translation>
    </message>
    <message>
        <source>{what} has a header of {count} bytes; at most {most} are read</source>
        <translation>{what}的文件头有 {count} 字节，最多读取 {most}</translation>
    </message>
    <message>
        <source>{what} ends within its header</source>
        <translation>{what}在文件头中间就结束了</translation>
    </message>
    <message>
        <source>{what} ends early</source>
        <translation>{what}没有写完就结束了</translation>
    </message>
    <message>
        <source>{what} is no npy file</source>
        <translation>{what}不是 npy 文件</translation>
    </message>
    <message>
        <source>{what} is damaged</source>
        <translation>{what}已损坏</translation>
    </message>
    <message>
        <source>{what} claims {count} bytes of numbers and has {found}</source>
        <translation>{what}声称有 {count} 字节的数，实际有 {found}</translation>
    </message>
    <message>
        <source>{what} holds Python objects (a pickle), which are never loaded</source>
        <translation>{what}里有 Python 对象（pickle），从不加载</translation>
    </message>
    <message>
        <source>This scene has {count} numbers; a script to be read holds at most {most}</source>
        <translation>这个场景有 {count} 个数；给人读的脚本最多写 {most} 个</translation>
    </message>
    <message>
        <source>{name} cannot express this scene: {reason}</source>
        <translation>{name} 无法表达这个场景：{reason}</translation>
    </message>
    <message>
        <source>There is no dialect {value}; the dialects are {names}</source>
        <translation>没有写法 {value}；写法有 {names}</translation>
    </message>
    <message>
        <source>A worked solution is for scenes with {name} up to {most}, and here {size} = {count}</source>
        <translation>解题过程只适用于 {name} 不超过 {most} 的场景，而这里 {size} = {count}</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; names no cells; write them like weights[1,2,:]</source>
        <translation>“{text}”不是单元格；请写成 weights[1,2,:] 这样</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no stage and no matrix; there are {names}</source>
        <translation>“{text}”既不是阶段也不是矩阵；可用的有 {names}</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; has {count} indices, but {place} takes {axes}: head, row, column</source>
        <translation>“{text}”有 {count} 个下标，而 {place} 需要 {axes} 个：头、行、列</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; has {count} indices, but {place} takes {axes}: row, column</source>
        <translation>“{text}”有 {count} 个下标，而 {place} 需要 {axes} 个：行、列</translation>
    </message>
    <message>
        <source>&apos;{text}&apos;: &apos;{part}&apos; is no index; write 2, 1:3 or :</source>
        <translation>“{text}”：“{part}”不是下标；请写 2、1:3 或 :</translation>
    </message>
    <message>
        <source>&apos;{text}&apos;: indices count from 1, and upwards</source>
        <translation>“{text}”：下标从 1 数起，由小到大</translation>
    </message>
    <message>
        <source>&apos;{text}&apos;: &apos;{part}&apos; is not a number</source>
        <translation>“{text}”：“{part}”不是数</translation>
    </message>
    <message>
        <source>&apos;{text}&apos;: a word can only be compared by = or !=</source>
        <translation>“{text}”：单词只能用 = 或 != 比较</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; compares with nothing</source>
        <translation>“{text}”没有写与什么比较</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no condition; write one like heads = 2 or weights[1,1,2] &gt; 0.9</source>
        <translation>“{text}”不是条件；请写成 heads = 2 或 weights[1,1,2] &gt; 0.9 这样</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no cost; there are {names}</source>
        <translation>“{text}”不是开销；可用的有 {names}</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no cell, setting, cost or number; write one like weights[1,1,2] or heads</source>
        <translation>“{text}”不是单元格、设置、开销或数；请写成 weights[1,1,2] 或 heads 这样</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; gives {count} values for {cells} cells</source>
        <translation>“{text}”给了 {count} 个值，却有 {cells} 个单元格</translation>
    </message>
    <message>
        <source>{place} is not set in this step&apos;s scene</source>
        <translation>这一步的场景里没有设定 {place}</translation>
    </message>
    <message>
        <source>{text} asks for column {number}, but {place} has {count} columns</source>
        <translation>{text} 要第 {number} 列，而 {place} 有 {count} 列</translation>
    </message>
    <message>
        <source>{text} asks for row {number}, but {place} has {count} rows</source>
        <translation>{text} 要第 {number} 行，而 {place} 有 {count} 行</translation>
    </message>
    <message>
        <source>{text} asks for head {number}, but {place} has {count} heads</source>
        <translation>{text} 要第 {number} 个头，而 {place} 有 {count} 个头</translation>
    </message>
    <message>
        <source>{text} asks for a slip, and the step has none</source>
        <translation>{text} 要用到 slip，而这一步没有</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no slip; there are {names}</source>
        <translation>“{text}”不是 slip；可用的有 {names}</translation>
    </message>
    <message>
        <source>the slip {name} changes nothing in this step&apos;s scene</source>
        <translation>slip {name} 在这一步的场景里不起作用</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no size; there are {names}</source>
        <translation>“{text}”不是大小；可用的有 {names}</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no key of a scene</source>
        <translation>“{text}”不是场景的键</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; is no language; write its two or three letters, such as en</source>
        <translation>“{text}”不是语言；请写它的两三个字母，例如 en</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; means nothing here; &apos;{near}&apos; may be meant</source>
        <translation>“{text}”在这里没有意义；也许是“{near}”</translation>
    </message>
    <message>
        <source>&apos;{text}&apos; means nothing here; there are {names}</source>
        <translation>“{text}”在这里没有意义；可用的有 {names}</translation>
    </message>
    <message>
        <source>there is no example scene &apos;{name}&apos;</source>
        <translation>没有示例场景“{name}”</translation>
    </message>
    <message>
        <source>there is no scene yet; give the lesson or this step a scene</source>
        <translation>还没有场景；请给课程或这一步一个场景</translation>
    </message>
    <message>
        <source>the scene has H·n·m = {count} scores, and a lesson&apos;s may have {most}</source>
        <translation>这个场景有 H·n·m = {count} 个分数，而课程最多 {most} 个</translation>
    </message>
    <message>
        <source>a lesson has at most {most} steps</source>
        <translation>一课最多 {most} 步</translation>
    </message>
    <message>
        <source>the lesson has no [[step]]</source>
        <translation>这一课没有 [[step]]</translation>
    </message>
    <message>
        <source>a goal can only ask for what the learner can change: cells and settings</source>
        <translation>goal 只能要求学习者能改的东西：单元格和设置</translation>
    </message>
    <message>
        <source>there is no text for the language &apos;{language}&apos;, which the title has</source>
        <translation>没有语言“{language}”的文本，而标题里有</translation>
    </message>
    <message>
        <source>{key} has no text for the language &apos;{language}&apos;, which the title has</source>
        <translation>{key} 没有语言“{language}”的文本，而标题里有</translation>
    </message>
    <message>
        <source>the title has no language &apos;{language}&apos;</source>
        <translation>标题里没有语言“{language}”</translation>
    </message>
    <message>
        <source>{key} must be equally many in every language: there are {counts}</source>
        <translation>{key} 在每种语言里必须一样多：现在是 {counts}</translation>
    </message>
    <message>
        <source>{key} is missing here</source>
        <translation>这里缺少 {key}</translation>
    </message>
    <message>
        <source>it is no TOML at column {column}: {what}</source>
        <translation>第 {column} 列不是 TOML：{what}</translation>
    </message>
    <message>
        <source>it is no TOML: {what}</source>
        <translation>它不是 TOML：{what}</translation>
    </message>
    <message>
        <source>it is no UTF-8 text here</source>
        <translation>这里不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>it is nested too deeply</source>
        <translation>它嵌套太深</translation>
    </message>
    <message>
        <source>it is larger than {size} KB, which is no lesson</source>
        <translation>它超过 {size} KB，不会是课程</translation>
    </message>
    <message>
        <source>There is no context: this is self-attention</source>
        <translation>没有上下文：这是自注意力</translation>
    </message>
    <message>
        <source>The last token cannot be deleted</source>
        <translation>最后一个词元不能删除</translation>
    </message>
    <message>
        <source>{key} is not set, so it has no cells</source>
        <translation>{key} 没有设定，所以没有单元格</translation>
    </message>
    <message>
        <source>{key} is not a width; the widths are {names}</source>
        <translation>{key} 不是宽度；宽度有 {names}</translation>
    </message>
    <message>
        <source>{heads} heads do not divide the {columns} columns of W_q evenly; possible: {counts}</source>
        <translation>{heads} 个头不能平分 W_q 的 {columns} 列；可以是：{counts}</translation>
    </message>
    <message>
        <source>{heads} heads do not divide the columns of W_k and W_v evenly; possible: {counts}</source>
        <translation>{heads} 个头不能平分 W_k 和 W_v 的列；可以是：{counts}</translation>
    </message>
    <message>
        <source>With {heads} heads, {problem}; possible: {counts}</source>
        <translation>{heads} 个头不行：{problem}；可以是：{counts}</translation>
    </message>
    <message>
        <source>{groups} K/V heads do not divide {heads} heads; possible: {counts}</source>
        <translation>{groups} 个 K/V 头不能平分 {heads} 个头；可以是：{counts}</translation>
    </message>
    <message>
        <source>mask entry {number} ({kind}): {problem}</source>
        <translation>第 {number} 个掩码（{kind}）：{problem}</translation>
    </message>
    <message>
        <source>position ({kind}): {problem}</source>
        <translation>位置编码（{kind}）：{problem}</translation>
    </message>
    <message>
        <source>it turns pairs of columns, and d_k = {d_k} is odd; set dims to an even number</source>
        <translation>它让列两两成对旋转，而 d_k = {d_k} 是奇数；请把 dims 设为偶数</translation>
    </message>
    <message>
        <source>context_table is missing, and there is a context</source>
        <translation>有上下文，却缺少 context_table</translation>
    </message>
    <message>
        <source>{key} is {shape} but must have at least {rows} rows of {width} numbers</source>
        <translation>{key} 是 {shape}，但必须至少有 {rows} 行，每行 {width} 个数</translation>
    </message>
    <message>
        <source>{key} is {shape} but must have an odd number of columns: distances −K to K</source>
        <translation>{key} 是 {shape}，但列数必须是奇数：距离从 −K 到 K</translation>
    </message>
    <message>
        <source>{key} is {shape} but must have {size} = {count} rows</source>
        <translation>{key} 是 {shape}，但必须有 {size} = {count} 行</translation>
    </message>
    <message>
        <source>{key} is {shape} but must have {size} = {count} columns</source>
        <translation>{key} 是 {shape}，但必须有 {size} = {count} 列</translation>
    </message>
    <message>
        <source>{key} is {shape}: its columns must be divisible by {size} = {count}</source>
        <translation>{key} 是 {shape}：列数必须能被 {size} = {count} 整除</translation>
    </message>
    <message>
        <source>{key} has length {length} but must have length {wanted}, one label per row</source>
        <translation>{key} 的长度是 {length}，但必须是 {wanted}，每行一个标签</translation>
    </message>
    <message>
        <source>{key} has length {length} but must have length {wanted}, one flag per key</source>
        <translation>{key} 的长度是 {length}，但必须是 {wanted}，每个键一个开关</translation>
    </message>
    <message>
        <source>{key} has length {length} but must have length {wanted}</source>
        <translation>{key} 的长度是 {length}，但必须是 {wanted}</translation>
    </message>
    <message>
        <source>{key} has shape {shape} but must be {rule}, at least one</source>
        <translation>{key} 的形状是 {shape}，但必须是{rule}，至少一个</translation>
    </message>
    <message>
        <source>{key} has the kind {value} but must have one of the kinds {kinds}</source>
        <translation>{key} 的 kind 是 {value}，但必须是 {kinds} 之一</translation>
    </message>
    <message>
        <source>{key} is {value} but must have one of the kinds {kinds}</source>
        <translation>{key} 是{value}，但它的 kind 必须是 {kinds} 之一</translation>
    </message>
    <message>
        <source>{key} is {value} but must divide heads = {heads}</source>
        <translation>{key} 是 {value}，但必须能整除 heads = {heads}</translation>
    </message>
    <message>
        <source>{key} is {value} but must be {rule}</source>
        <translation>{key} 是 {value}，但必须是{rule}</translation>
    </message>
    <message>
        <source>{key} must be {rule}</source>
        <translation>{key} 必须是{rule}</translation>
    </message>
    <message>
        <source>an object</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>a list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>a list of labels</source>
        <translation>标签的列表</translation>
    </message>
    <message>
        <source>a list of masks</source>
        <translation>掩码的列表</translation>
    </message>
    <message>
        <source>a list of numbers</source>
        <translation>数的列表</translation>
    </message>
    <message>
        <source>a list of true and false</source>
        <translation>true 和 false 的列表</translation>
    </message>
    <message>
        <source>a table: a list of rows</source>
        <translation>表格，也就是由行组成的列表</translation>
    </message>
    <message>
        <source>a table: rows of equally many numbers</source>
        <translation>表格，每行的数一样多</translation>
    </message>
    <message>
        <source>a table of true and false with equally long rows</source>
        <translation>true 和 false 的表格，各行一样长</translation>
    </message>
    <message>
        <source>one row of numbers</source>
        <translation>一行数</translation>
    </message>
    <message>
        <source>numbers</source>
        <translation>数</translation>
    </message>
    <message>
        <source>true and false</source>
        <translation>true 和 false</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>true 或 false</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数</translation>
    </message>
    <message>
        <source>a number above 0</source>
        <translation>大于 0 的数</translation>
    </message>
    <message>
        <source>a number above 0, or null</source>
        <translation>大于 0 的数，或 null</translation>
    </message>
    <message>
        <source>a number of at least {least}</source>
        <translation>不小于 {least} 的数</translation>
    </message>
    <message>
        <source>a list of numbers above 0</source>
        <translation>一列大于 0 的数</translation>
    </message>
    <message>
        <source>an object with weight and eps</source>
        <translation>带有 weight 和 eps 的对象</translation>
    </message>
    <message>
        <source>at least {least}</source>
        <translation>至少 {least}</translation>
    </message>
    <message>
        <source>a whole number from {least}</source>
        <translation>不小于 {least} 的整数</translation>
    </message>
    <message>
        <source>a whole number of at least {least}</source>
        <translation>不小于 {least} 的整数</translation>
    </message>
    <message>
        <source>an even number from 2 to d_k = {d_k}</source>
        <translation> 2 到 d_k = {d_k} 之间的偶数</translation>
    </message>
    <message>
        <source>one of {choices}</source>
        <translation>以下之一：{choices}</translation>
    </message>
    <message>
        <source>a count from 1</source>
        <translation>从 1 起的个数</translation>
    </message>
    <message>
        <source>a list of words</source>
        <translation>词的列表</translation>
    </message>
    <message>
        <source>{value}, {other} or a finite number</source>
        <translation> {value}、{other} 或有限的数</translation>
    </message>
    <message>
        <source>{value} or a finite number</source>
        <translation> {value} 或有限的数</translation>
    </message>
    <message>
        <source>&quot;{one}&quot; or &quot;{other}&quot;</source>
        <translation> &quot;{one}&quot; 或 &quot;{other}&quot;</translation>
    </message>
    <message>
        <source>a table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>a list of tables</source>
        <translation>表的列表</translation>
    </message>
    <message>
        <source>a list of tables; entry {number} is none</source>
        <translation>表的列表；第 {number} 项不是</translation>
    </message>
    <message>
        <source>a list of texts, such as [&quot;weights[1,1,2]&quot;]</source>
        <translation>文本的列表，例如 [&quot;weights[1,1,2]&quot;]</translation>
    </message>
    <message>
        <source>a list of texts</source>
        <translation>文本的列表</translation>
    </message>
    <message>
        <source>a whole number</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>the name of a slip</source>
        <translation>slip 的名称</translation>
    </message>
    <message>
        <source>the number of an option</source>
        <translation>选项的编号</translation>
    </message>
    <message>
        <source>the number of an option, from 1 to {most}</source>
        <translation>选项的编号，从 1 到 {most}</translation>
    </message>
    <message>
        <source>at least two</source>
        <translation>至少两个</translation>
    </message>
    <message>
        <source>from 0 to {most}</source>
        <translation>从 0 到 {most}</translation>
    </message>
    <message>
        <source>of small letters, digits and hyphens</source>
        <translation>由小写字母、数字和连字符组成</translation>
    </message>
    <message>
        <source>one text, such as weights[1]</source>
        <translation>一个文本，例如 weights[1]</translation>
    </message>
    <message>
        <source>cells, such as &quot;weights[1,1,2]&quot;</source>
        <translation>单元格，例如 &quot;weights[1,1,2]&quot;</translation>
    </message>
    <message>
        <source>a number or one cell, such as &quot;weights[1,1,2]&quot;</source>
        <translation>一个数或一个单元格，例如 &quot;weights[1,1,2]&quot;</translation>
    </message>
    <message>
        <source>one number, and {text} is several</source>
        <translation>一个数，而 {text} 有好几个</translation>
    </message>
    <message>
        <source>a list of conditions, such as [&quot;heads = 2&quot;]</source>
        <translation>条件的列表，例如 [&quot;heads = 2&quot;]</translation>
    </message>
    <message>
        <source>a table with keys of a session file</source>
        <translation>含有会话文件各键的表</translation>
    </message>
    <message>
        <source>a table with the keys of a session file, or the name of an example</source>
        <translation>含有会话文件各键的表，或示例的名称</translation>
    </message>
    <message>
        <source>given by language, such as {form}</source>
        <translation>按语言给出的，例如 {form}</translation>
    </message>
    <message>
        <source>rows of numbers, {one} or {other} (at most {most} numbers)</source>
        <translation>由数组成的行，或 {one}，或 {other}（最多 {most} 个数）</translation>
    </message>
    <message>
        <source>mask entry {number}</source>
        <translation>第 {number} 个掩码</translation>
    </message>
    <message>
        <source>its tensor &quot;{key}&quot;</source>
        <translation>其中的张量“{key}”</translation>
    </message>
    <message>
        <source>it</source>
        <translation>它</translation>
    </message>
    <message>
        <source>it has no softcap</source>
        <translation>它没有软上限</translation>
    </message>
    <message>
        <source>it has no grouped K/V heads</source>
        <translation>它不支持分组的 K/V 头</translation>
    </message>
    <message>
        <source>it has no {kind} position</source>
        <translation>它没有{kind}位置编码</translation>
    </message>
    <message>
        <source>it always divides by √d_k</source>
        <translation>它总是除以 √d_k</translation>
    </message>
    <message>
        <source>it needs {size} = {other}, here {value} and {wanted}</source>
        <translation>它要求 {size} = {other}，这里是 {value} 和 {wanted}</translation>
    </message>
    <message>
        <source>a finite fill gives hidden keys weight, and it can only hide them</source>
        <translation>有限的填充值会让遮住的键也有权重，而它只能遮住</translation>
    </message>
    <message>
        <source>This scene could not be computed: {problem}</source>
        <translation>这个场景算不出来：{problem}</translation>
    </message>
    <message>
        <source>torch sees no {name} here, so large scenes are computed on the processor</source>
        <translation>torch 在这里找不到 {name}，所以大场景由处理器计算</translation>
    </message>
    <message>
        <source>{name} has no float64, so this scene is computed on the processor</source>
        <translation>{name} 没有 float64，所以这个场景由处理器计算</translation>
    </message>
    <message>
        <source>{name} has too little memory for this scene, which is computed on the processor now</source>
        <translation>{name} 的内存不够算这个场景，现在改由处理器计算</translation>
    </message>
    <message>
        <source>{name} cannot compute this scene ({what}), which is computed on the processor now</source>
        <translation>{name} 算不了这个场景（{what}），现在改由处理器计算</translation>
    </message>
    <message>
        <source>no cell is left blank, so there is nothing to fill in</source>
        <translation>没有留空的格子，没有可填的</translation>
    </message>
    <message>
        <source>{count} cells would be blank, and {most} are the most; choose fewer stages</source>
        <translation>会有 {count} 个空格，最多 {most} 个；请少选几个阶段</translation>
    </message>
    <message>
        <source>{name} is {rows} × {columns}, and paper has room for {most} × {most_columns}</source>
        <translation>{name} 是 {rows} × {columns}，而纸上放得下 {most} × {most_columns}</translation>
    </message>
    <message>
        <source>a picture of this size can have at most {most} dpi, not {dpi}</source>
        <translation>这样大小的图片最多 {most} dpi，不能是 {dpi}</translation>
    </message>
    <message>
        <source>{name}, line {line}: {problem}</source>
        <translation>{name} 第 {line} 行：{problem}</translation>
    </message>
    <message>
        <source>{name}: {problem}</source>
        <translation>{name}：{problem}</translation>
    </message>
    <message>
        <source>{sentence}.</source>
        <translation>{sentence}。</translation>
    </message>
    <message>
        <source>it turns pairs of columns, so d_k must be at least 2, and it is {d_k}</source>
        <translation>它让列两两成对旋转，所以 d_k 至少要是 2，而现在是 {d_k}</translation>
    </message>
    <message>
        <source>table is {shape} but must have an odd number of columns: distances −K to K</source>
        <translation>table 是 {shape}，但列数必须是奇数：距离 −K 到 K</translation>
    </message>
    <message>
        <source>positions of the kind {found} are not known here</source>
        <translation>这里不认识 {found} 类的位置编码</translation>
    </message>
    <message>
        <source>the model is quantised ({method}); only plain weights are read</source>
        <translation>模型是量化的（{method}）；只读取普通权重</translation>
    </message>
    <message>
        <source>the model is quantised; only plain weights are read</source>
        <translation>模型是量化的；只读取普通权重</translation>
    </message>
    <message>
        <source>it is larger than {most} MB</source>
        <translation>它大于 {most} MB</translation>
    </message>
    <message>
        <source>it is not UTF-8 text</source>
        <translation>它不是 UTF-8 文本</translation>
    </message>
    <message>
        <source>it holds {value} but must hold an object</source>
        <translation>它是{value}，但必须是一个对象</translation>
    </message>
    <message>
        <source>it has {count} heads, as {name} says, not {asked}</source>
        <translation>按 {name} 所说，它有 {count} 个头，而不是 {asked} 个</translation>
    </message>
    <message>
        <source>{count} heads do not divide its width of {width}</source>
        <translation>{count} 个头不能整除它的宽度 {width}</translation>
    </message>
    <message>
        <source>GPT-2 with cross-attention is not known here</source>
        <translation>这里不认识带交叉注意力的 GPT-2</translation>
    </message>
    <message>
        <source>head_dim is {count}, but its tensors have heads of width {width}</source>
        <translation>head_dim 是 {count}，但它的张量中头宽为 {width}</translation>
    </message>
    <message>
        <source>num_key_value_heads is {count}, but its keys are {width} wide, and a head is {each}</source>
        <translation>num_key_value_heads 是 {count}，但它的键宽 {width}，而一个头宽 {each}</translation>
    </message>
    <message>
        <source>layer_types has {count} entries, and there is a layer {number}</source>
        <translation>layer_types 有 {count} 项，却有第 {number} 层</translation>
    </message>
    <message>
        <source>its tensors are named as in {families}, and only config.json tells which, and what else the attention needs; put it beside the file</source>
        <translation>它的张量名与 {families} 相同，只有 config.json 能说明是哪一种以及注意力还需要什么；请把它放在文件旁边</translation>
    </message>
    <message>
        <source>it is of no family that is known ({families}): its tensors are {names}</source>
        <translation>它不属于任何已知的系列（{families}）：它的张量是 {names}</translation>
    </message>
    <message>
        <source>it may be {families}; config.json would tell</source>
        <translation>它可能是 {families}；config.json 能够说明</translation>
    </message>
    <message>
        <source>it holds more than one model of the family {family}: {names}</source>
        <translation>它含有不止一个 {family} 系列的模型：{names}</translation>
    </message>
    <message>
        <source>there is no part {part}; it has {parts}</source>
        <translation>没有 {part} 这一部分；它有 {parts}</translation>
    </message>
    <message>
        <source>there is no layer {number}; its layers are {first} to {last}, counted from 0</source>
        <translation>没有第 {number} 层；它的层是 {first} 到 {last}，从 0 数起</translation>
    </message>
    <message>
        <source>the model type {found} is not known; known are {families}</source>
        <translation>不认识模型类型 {found}；认识的有 {families}</translation>
    </message>
    <message>
        <source>config.json says {found}, but no tensor is named as in {family}: {names}</source>
        <translation>config.json 说是 {found}，但没有张量像 {family} 那样命名：{names}</translation>
    </message>
    <message>
        <source>its joined projection is {width} wide, but {heads} heads and twice {groups} K/V heads of width {each} are {wanted}</source>
        <translation>它合并的投影宽 {width}，但 {heads} 个头加两倍的 {groups} 个 K/V 头、每个宽 {each}，应为 {wanted}</translation>
    </message>
    <message>
        <source>it holds no model. Put the model&apos;s config.json and .safetensors (or .bin) there; nothing is fetched</source>
        <translation>里面没有模型。请把模型的 config.json 和 .safetensors（或 .bin）放进去；不从网络获取任何东西</translation>
    </message>
    <message>
        <source>it holds several files of tensors and no index: {names}; name one of them</source>
        <translation>里面有几个张量文件而没有索引：{names}；请指明其中一个</translation>
    </message>
    <message>
        <source>it holds GGUF files, which are quantised; only plain weights are read</source>
        <translation>里面是 GGUF 文件，是量化的；只读取普通权重</translation>
    </message>
    <message>
        <source>it is a GGUF file, which is quantised; only plain weights are read</source>
        <translation>它是 GGUF 文件，是量化的；只读取普通权重</translation>
    </message>
    <message>
        <source>weight_map is {found} but must name the files of the tensors</source>
        <translation>weight_map 是 {found}，但必须写明各张量所在的文件</translation>
    </message>
    <message>
        <source>it names more than {most} files</source>
        <translation>它列出了超过 {most} 个文件</translation>
    </message>
    <message>
        <source>it has no tensor {tensor}, which the index promises</source>
        <translation>它没有索引所说的张量 {tensor}</translation>
    </message>
    <message>
        <source>it has no tensor {tensor}</source>
        <translation>它没有张量 {tensor}</translation>
    </message>
    <message>
        <source>there is no such file or folder. Nothing is fetched: put the model&apos;s files, config.json and .safetensors, into a folder and name that</source>
        <translation>没有这样的文件或文件夹。不从网络获取任何东西：请把模型的文件 config.json 和 .safetensors 放进一个文件夹，再指明该文件夹</translation>
    </message>
    <message>
        <source>{tensor} lies in {found}, which is no file of its folder</source>
        <translation>{tensor} 位于 {found}，那不是该文件夹里的文件</translation>
    </message>
    <message>
        <source>the name of its tensor {number} is longer than {most} characters or cannot be printed</source>
        <translation>它的第 {number} 个张量的名称超过 {most} 个字符，或无法显示</translation>
    </message>
    <message>
        <source>its joined projection is {width} wide, which is not three times {other}, as its output takes</source>
        <translation>它合并的投影宽度为 {width}，不是其输出所需的 {other} 的三倍</translation>
    </message>
    <message>
        <source>{count} buckets up to a distance of {distance} leave no logarithm between them</source>
        <translation>{count} 个桶、最远距离 {distance}，其间没有对数分段的余地</translation>
    </message>
    <message>
        <source>rotary positions would turn {count} of {width} columns</source>
        <translation>旋转位置编码会旋转 {width} 列中的 {count} 列</translation>
    </message>
    <message>
        <source>high_freq_factor must be above low_freq_factor</source>
        <translation>high_freq_factor 必须大于 low_freq_factor</translation>
    </message>
    <message>
        <source>{key} has {count} numbers, but {pairs} pairs are turned</source>
        <translation>{key} 有 {count} 个数，但要旋转的有 {pairs} 对</translation>
    </message>
    <message>
        <source>this sort of yarn is not known here</source>
        <translation>这种 yarn 在这里是未知的</translation>
    </message>
    <message>
        <source>a Gemma 3 that sees both ways is not known here</source>
        <translation>双向注意力的 Gemma 3 在这里是未知的</translation>
    </message>
    <message>
        <source>a Gemma 3 with attn_logit_softcapping is not known here</source>
        <translation>带 attn_logit_softcapping 的 Gemma 3 在这里是未知的</translation>
    </message>
    <message>
        <source>it has rope_parameters and rope_scaling, and cannot mean both</source>
        <translation>它同时有 rope_parameters 和 rope_scaling，而两者不能同时算数</translation>
    </message>
    <message>
        <source>rotary positions turn too fast to be calculated</source>
        <translation>旋转位置转得太快，无法计算</translation>
    </message>
    <message>
        <source>attention_bias is false, but its tensors have biases</source>
        <translation>attention_bias 为 false，但它的张量有偏置</translation>
    </message>
    <message>
        <source>attention_bias is true, but its tensors have no biases</source>
        <translation>attention_bias 为 true，但它的张量没有偏置</translation>
    </message>
    <message>
        <source>is_causal is false, and such a model is not known here</source>
        <translation>is_causal 为 false，这样的模型此处不认识</translation>
    </message>
    <message>
        <source>layers of the type {found} are not known here</source>
        <translation>此处不认识类型为 {found} 的层</translation>
    </message>
    <message>
        <source>its layers are named as in {family}, but such a model has a tensor {tensor} and this one has none: it is of another family</source>
        <translation>它的各层命名与 {family} 相同，但那样的模型有张量 {tensor}，而它没有：它属于另一个家族</translation>
    </message>
    <message>
        <source>rotary positions scaled by {found} are not known here</source>
        <translation>这里不认识用 {found} 缩放的旋转位置编码</translation>
    </message>
    <message>
        <source>relative_attention_max_distance is {count}, which is too far</source>
        <translation>relative_attention_max_distance 是 {count}，太远了</translation>
    </message>
    <message>
        <source>{tensor} is stored as {found}: quantised weights are not read</source>
        <translation>{tensor} 以 {found} 存储：不读取量化的权重</translation>
    </message>
    <message>
        <source>{tensor} has the shape {shape} but must have {wanted}</source>
        <translation>{tensor} 的形状是 {shape}，但必须是 {wanted}</translation>
    </message>
    <message>
        <source>its attention has a tensor that is not known here: {tensor}</source>
        <translation>它的注意力有一个这里不认识的张量：{tensor}</translation>
    </message>
    <message>
        <source>it has {tensor}: quantised weights are not read</source>
        <translation>它有 {tensor}：不读取量化的权重</translation>
    </message>
    <message>
        <source>{tensor} adds a learned key to each sequence, which a scene has not</source>
        <translation>{tensor} 给每个序列加一个学到的键，而场景没有这种键</translation>
    </message>
    <message>
        <source>its keys are made of rows of width {width} and its values of rows of width {other}; a scene has one context for both</source>
        <translation>它的键由宽 {width} 的行算出，值由宽 {other} 的行算出；而场景中两者共用一个上下文</translation>
    </message>
    <message>
        <source>this layer looks at pictures, and no text reaches it</source>
        <translation>这一层看的是图片，文本到不了它</translation>
    </message>
    <message>
        <source>this layer belongs to the decoder; say the text that it reads as well (--target)</source>
        <translation>这一层属于解码器；请把它读的文本也写上（--target）</translation>
    </message>
    <message>
        <source>the text has {count} tokens; this model takes {most}</source>
        <translation>文本有 {count} 个词元；这个模型最多接受 {most} 个</translation>
    </message>
    <message>
        <source>the text has {count} tokens; at most {most} are taken</source>
        <translation>文本有 {count} 个词元；最多接受 {most} 个</translation>
    </message>
    <message>
        <source>the text has no tokens</source>
        <translation>文本没有词元</translation>
    </message>
    <message>
        <source>the text holds half of a character (a lone surrogate)</source>
        <translation>文本里有半个字符（单独的代理码位）</translation>
    </message>
    <message>
        <source>the model cannot compute it: {found}</source>
        <translation>模型算不了它：{found}</translation>
    </message>
    <message>
        <source>{module} computes something that is not known here: its output differs by up to {apart}</source>
        <translation>{module} 算了此处不认识的东西：它的输出最多相差 {apart}</translation>
    </message>
    <message>
        <source>config.json does not say which token the decoder starts with (decoder_start_token_id)</source>
        <translation>config.json 没有说解码器从哪个词元开始（decoder_start_token_id）</translation>
    </message>
    <message>
        <source>config.json counts {said} layers; its files hold {count}</source>
        <translation>config.json 说有 {said} 层；它的文件里有 {count} 层</translation>
    </message>
    <message>
        <source>its files lack {tensor}, without which the model computes nothing true</source>
        <translation>它的文件缺少 {tensor}，没有它模型算不出真的结果</translation>
    </message>
    <message>
        <source>config.json says other sizes than those of its tensors, which transformers cannot use</source>
        <translation>config.json 说的大小与它的张量不同，transformers 无法使用</translation>
    </message>
    <message>
        <source>transformers cannot use it: {found}</source>
        <translation>transformers 无法使用它：{found}</translation>
    </message>
    <message>
        <source>a text goes through the whole model; name its folder</source>
        <translation>文本要经过整个模型；请指定它的文件夹</translation>
    </message>
    <message>
        <source>a text needs the model&apos;s config.json; put it there. Nothing is fetched</source>
        <translation>文本需要模型的 config.json；请把它放在那里。不会下载任何东西</translation>
    </message>
    <message>
        <source>it has no tokenizer. Put the model&apos;s own there, beside config.json: tokenizer.json (or {names} …) and tokenizer_config.json. Nothing is fetched</source>
        <translation>它没有分词器。请把模型自己的分词器放在 config.json 旁边：tokenizer.json（或 {names} …）和 tokenizer_config.json。不会下载任何东西</translation>
    </message>
    <message>
        <source>tokenizer.json: precompiled_charsmap is not whole</source>
        <translation>tokenizer.json：precompiled_charsmap 不完整</translation>
    </message>
    <message>
        <source>A text goes through the model with the library transformers; install it with pip install &quot;attention-explorer[models]&quot;</source>
        <translation>文本要用 transformers 库经过模型；请用 pip install &quot;attention-explorer[models]&quot; 安装它</translation>
    </message>
    <message>
        <source>A text goes through the model with the library transformers, which the standalone program leaves out; install the Python package with pip install &quot;attention-explorer[models]&quot;</source>
        <translation>文本要用 transformers 库经过模型，而独立程序不带它；请用 pip install &quot;attention-explorer[models]&quot; 安装 Python 包</translation>
    </message>
    <message>
        <source>{name} has {shape} numbers, too many to be held</source>
        <translation>{name} 有 {shape} 个数字，多得无法全部存放</translation>
    </message>
    <message>
        <source>it has no norm of queries and keys</source>
        <translation>它没有对查询和键的归一化</translation>
    </message>
    <message>
        <source>bias is {shape} but must be n × m = {wanted}, or one for each head, {each}</source>
        <translation>bias 是 {shape}，但必须是 n × m = {wanted}，或每个头一个，即 {each}</translation>
    </message>
    <message>
        <source>bias must have finite numbers; what hides keys belongs to mask</source>
        <translation>bias 中必须是有限的数；用来隐藏键的应写在 mask 里</translation>
    </message>
    <message>
        <source>{key} is {shape} but {other} is {wanted}</source>
        <translation>{key} 是 {shape}，而 {other} 是 {wanted}</translation>
    </message>
    <message>
        <source>the mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>the width of a head</source>
        <translation>头的宽度</translation>
    </message>
    <message>
        <source>the width of the output</source>
        <translation>输出的宽度</translation>
    </message>
    <message>
        <source>the part of rank {rank} of {ranks} is missing</source>
        <translation>缺少第 {rank} 个进程（共 {ranks} 个）的部分</translation>
    </message>
    <message>
        <source>{what} of rank {rank} is not that of rank 1; they are not of one call</source>
        <translation>第 {rank} 个进程的 {what} 与第 1 个进程的不同；它们不属于同一次调用</translation>
    </message>
    <message>
        <source>{count} processes hold {sets} different sets of K/V heads</source>
        <translation>{count} 个进程持有 {sets} 组不同的 K/V 头</translation>
    </message>
    <message>
        <source>the processes hold different biases of the output</source>
        <translation>各进程持有的输出偏置不同</translation>
    </message>
    <message>
        <source>another program has changed it meanwhile; open it again</source>
        <translation>其间另一个程序改动了它；请重新打开</translation>
    </message>
    <message>
        <source>it has two tensors &quot;{tensor}&quot;</source>
        <translation>它有两个张量都叫 &quot;{tensor}&quot;</translation>
    </message>
</context>
<context>
    <name>ProgressDots</name>
    <message>
        <source>Step {number} of {count}; {answered} of {asked} questions answered</source>
        <translation>第 {number} 步，共 {count} 步；{asked} 个问题已答 {answered} 个</translation>
    </message>
    <message>
        <source>Step {number}: answered</source>
        <translation>第 {number} 步：已回答</translation>
    </message>
    <message>
        <source>Step {number}: answer shown</source>
        <translation>第 {number} 步：看过答案</translation>
    </message>
    <message>
        <source>Step {number}: a question, still open</source>
        <translation>第 {number} 步：问题还没答</translation>
    </message>
    <message>
        <source>Step {number}</source>
        <translation>第 {number} 步</translation>
    </message>
</context>
<context>
    <name>QFileDialog</name>
    <message>
        <source>&amp;Look in:</source>
        <translation>查找位置(&amp;L)：</translation>
    </message>
    <message>
        <source>Files of &amp;type:</source>
        <translation>文件类型(&amp;T)：</translation>
    </message>
</context>
<context>
    <name>QPrintSettingsOutput</name>
    <message>
        <source>Page &amp;Set:</source>
        <translation>页面选取(&amp;S)：</translation>
    </message>
</context>
<context>
    <name>QuestionCard</name>
    <message>
        <source>Show the answer</source>
        <translation>看答案</translation>
    </message>
    <message>
        <source>**Hint {number}.** {text}</source>
        <translation>**提示 {number}.** {text}</translation>
    </message>
    <message>
        <source>Another hint</source>
        <translation>再来一个提示</translation>
    </message>
    <message>
        <source>Hint</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>One moment: the numbers are being computed …</source>
        <translation>请稍等：正在计算这些数…</translation>
    </message>
    <message>
        <source>Answered.</source>
        <translation>已回答。</translation>
    </message>
</context>
<context>
    <name>ReadingPage</name>
    <message>
        <source>Weights from {share} %</source>
        <translation>权重至少 {share} %</translation>
    </message>
    <message>
        <source>Keys per query: {count}</source>
        <translation>每个查询的键数：{count}</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>layer {number} · {name}</source>
        <translation>第 {number} 层 · {name}</translation>
    </message>
    <message>
        <source>With {queries} × {keys} weights in each of {heads} heads there is too much to draw side by side. The panels show one head at a time; a session with fewer tokens shows them all.</source>
        <translation>{heads} 个头中每个都有 {queries} × {keys} 个权重，太多而无法并排画出。面板一次显示一个头；词元较少的会话可以全部显示。</translation>
    </message>
</context>
<context>
    <name>ReadingRoom</name>
    <message>
        <source>Open a folder of layers</source>
        <translation>打开层文件夹</translation>
    </message>
    <message>
        <source>Joining the parts of layers in {name} …</source>
        <translation>正在合并 {name} 中各层的部分……</translation>
    </message>
</context>
<context>
    <name>Recovery</name>
    <message>
        <source>Unsaved work cannot be kept safe from a crash: {reason}.</source>
        <translation>无法保护未保存的工作免受崩溃影响：{reason}。</translation>
    </message>
</context>
<context>
    <name>RelativeOptions</name>
    <message>
        <source>Number for each distance</source>
        <translation>每个距离对应的数</translation>
    </message>
    <message>
        <source>Added to the scaled scores, by the distance from the query to the key</source>
        <translation>按查询到键的距离加到缩放后的分数上</translation>
    </message>
    <message>
        <source>Edit position table [%1,%2]</source>
        <translation>编辑位置表 [%1,%2]</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>头 %1</translation>
    </message>
</context>
<context>
    <name>Remark</name>
    <message>
        <source>self-attention → cross-attention</source>
        <translation>自注意力 → 交叉注意力</translation>
    </message>
    <message>
        <source>cross-attention → self-attention</source>
        <translation>交叉注意力 → 自注意力</translation>
    </message>
    <message>
        <source>{name} {old} → {new}</source>
        <translation>{name} {old} → {new}</translation>
    </message>
    <message>
        <source>heads {old} → {new}</source>
        <translation>头数 {old} → {new}</translation>
    </message>
    <message>
        <source>K/V heads {old} → {new}</source>
        <translation>K/V 头数 {old} → {new}</translation>
    </message>
    <message>
        <source>{name}[{where}] {old} → {new}</source>
        <translation>{name}[{where}] {old} → {new}</translation>
    </message>
    <message>
        <source>{name}: {count} numbers changed</source>
        <translation>{name}：改了 {count} 个数</translation>
    </message>
    <message>
        <source>scale {old} → {new}</source>
        <translation>缩放 {old} → {new}</translation>
    </message>
    <message>
        <source>softcap {old} → {new}</source>
        <translation>软上限 {old} → {new}</translation>
    </message>
    <message>
        <source>fill of hidden scores {old} → {new}</source>
        <translation>遮住的分数的填充值 {old} → {new}</translation>
    </message>
    <message>
        <source>precision {old} → {new}</source>
        <translation>精度 {old} → {new}</translation>
    </message>
    <message>
        <source>mask {old} → {new}</source>
        <translation>掩码 {old} → {new}</translation>
    </message>
    <message>
        <source>mask: {count} cells changed</source>
        <translation>掩码：改了 {count} 格</translation>
    </message>
    <message>
        <source>position {old} → {new}</source>
        <translation>位置编码 {old} → {new}</translation>
    </message>
    <message>
        <source>{name} of the {kind} position {old} → {new}</source>
        <translation>{kind}位置编码的 {name} {old} → {new}</translation>
    </message>
    <message>
        <source>{name} of the {kind} position: numbers changed</source>
        <translation>{kind}位置编码的 {name}：数有改动</translation>
    </message>
    <message>
        <source>labels {old} → {new}</source>
        <translation>标签 {old} → {new}</translation>
    </message>
    <message>
        <source>The {kind} position belongs to the place, not to the token.</source>
        <translation>{kind}位置编码属于位置，不属于词元。</translation>
    </message>
    <message>
        <source>The {kind} mask belongs to the place, not to the token.</source>
        <translation>{kind}掩码属于位置，不属于词元。</translation>
    </message>
    <message>
        <source>It is so already.</source>
        <translation>已经是这样了。</translation>
    </message>
    <message>
        <source>Reached after {steps} steps.</source>
        <translation>{steps} 步后达到。</translation>
    </message>
    <message>
        <source>Near enough after {steps} steps. Exactly {target} is out of reach: softmax only comes ever nearer.</source>
        <translation>{steps} 步后已足够接近。恰好等于 {target} 是做不到的：softmax 只会越来越近。</translation>
    </message>
    <message>
        <source>Stopped after {steps} steps: still {miss} to go.</source>
        <translation>{steps} 步后停止：还差 {miss}。</translation>
    </message>
    <message>
        <source>No matrix is ticked, so nothing can change.</source>
        <translation>没有勾选任何矩阵，所以什么也不能变。</translation>
    </message>
    <message>
        <source>The key is hidden from this query: its weight is 0 whatever the matrices hold.</source>
        <translation>这个查询看不到这个键：无论矩阵是什么，它的权重都是 0。</translation>
    </message>
    <message>
        <source>It is the only key that this query may see: its weight is 1 whatever the matrices hold.</source>
        <translation>这个查询只能看到这一个键：无论矩阵是什么，它的权重都是 1。</translation>
    </message>
    <message>
        <source>This query attends to nothing: its weights are 0 whatever the matrices hold.</source>
        <translation>这个查询什么也不关注：无论矩阵是什么，它的权重都是 0。</translation>
    </message>
    <message>
        <source>A weight lies between 0 and 1; {target} does not.</source>
        <translation>权重在 0 和 1 之间，{target} 不在。</translation>
    </message>
    <message>
        <source>The weights of a row add up to 1; the ones wished for add up to {sum}.</source>
        <translation>一行的权重加起来是 1；想要的这些加起来是 {sum}。</translation>
    </message>
    <message>
        <source>The ticked matrices have no influence here: the gradient is 0.</source>
        <translation>勾选的矩阵在这里不起作用：梯度是 0。</translation>
    </message>
    <message>
        <source>A number here is NaN or ∞, so there is no slope to follow.</source>
        <translation>这里有个数是 NaN 或 ∞，没有坡度可循。</translation>
    </message>
    <message>
        <source>It gets no better from here with the ticked matrices: still {miss} to go.</source>
        <translation>只用勾选的矩阵，从这里没法再改进：还差 {miss}。</translation>
    </message>
    <message>
        <source>Not reached in {steps} steps, still {miss} to go; it can go on from here.</source>
        <translation>{steps} 步内没有达到，还差 {miss}；可以从这里继续。</translation>
    </message>
    <message>
        <source>Reached in float64, but {dtype} is too coarse to hold it: still {miss} to go.</source>
        <translation>用 float64 达到了，但 {dtype} 精度太低，存不下：还差 {miss}。</translation>
    </message>
    <message>
        <source>torch counts a multiplication and an addition as 2; a multiply-add is 1 here, as in fvcore.</source>
        <translation>torch 把一次乘法和一次加法算作 2；这里一次乘加算 1，与 fvcore 相同。</translation>
    </message>
    <message>
        <source>Counters see matrix products alone: biases, scale, mask and softmax are left out.</source>
        <translation>计数器只看矩阵乘积：偏置、缩放、掩码和 softmax 都不算。</translation>
    </message>
    <message>
        <source>The same attention as one call of {name} counts as {flops}: a counter knows only the operations in its table, and that one is not in it on this device.</source>
        <translation>同样的注意力，用一次 {name} 调用来算，计数是 {flops}：计数器只认得表里的运算，而在这台设备上这个运算不在表里。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>causal</source>
        <translation>因果</translation>
    </message>
    <message>
        <source>padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>custom</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>sinusoidal</source>
        <translation>正弦</translation>
    </message>
    <message>
        <source>learned</source>
        <translation>可学习</translation>
    </message>
    <message>
        <source>rotary</source>
        <translation>旋转</translation>
    </message>
    <message>
        <source>alibi</source>
        <translation>ALiBi</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>相对距离</translation>
    </message>
    <message>
        <source>ε of {name} {old} → {new}</source>
        <translation>{name} 的 ε {old} → {new}</translation>
    </message>
</context>
<context>
    <name>Reorder</name>
    <message>
        <source>Reordering</source>
        <translation>重新排序</translation>
    </message>
    <message>
        <source>Does attention notice the order of the tokens, or do its outputs merely move along?</source>
        <translation>注意力会注意到词元的顺序吗，还是输出只是跟着移动？</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Tokens of</source>
        <translation>词元属于</translation>
    </message>
    <message>
        <source>row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>was</source>
        <translation>原为</translation>
    </message>
    <message>
        <source>Tokens: drag a row, or move it with Alt+↑ and Alt+↓</source>
        <translation>词元：拖动一行，或用 Alt+↑、Alt+↓ 移动</translation>
    </message>
    <message>
        <source>Drag a row, or choose one and press Alt+↑ or Alt+↓.</source>
        <translation>拖动一行，或选中一行后按 Alt+↑ 或 Alt+↓。</translation>
    </message>
    <message>
        <source>Original order</source>
        <translation>原来的顺序</translation>
    </message>
    <message>
        <source>Reverse</source>
        <translation>倒序</translation>
    </message>
    <message>
        <source>Computing…</source>
        <translation>计算中…</translation>
    </message>
    <message>
        <source>Move “{token}” to row {row}</source>
        <translation>把“{token}”移到第 {row} 行</translation>
    </message>
    <message>
        <source>{token} is row {row} now</source>
        <translation>{token} 现在是第 {row} 行</translation>
    </message>
    <message>
        <source>Reverse the order</source>
        <translation>颠倒顺序</translation>
    </message>
    <message>
        <source>the outputs of before, moved along</source>
        <translation>先前的输出，跟着移动</translation>
    </message>
    <message>
        <source>the outputs of the reordered tokens</source>
        <translation>重新排序后的词元的输出</translation>
    </message>
    <message>
        <source>their difference</source>
        <translation>二者之差</translation>
    </message>
    <message>
        <source>Nothing is moved yet: f(X) is what the panels show.</source>
        <translation>还没有移动：面板显示的就是 f(X)。</translation>
    </message>
    <message>
        <source>f(PX) = P·f(X) does not hold: max|Δ| = {size}</source>
        <translation>f(PX) = P·f(X) 不成立：max|Δ| = {size}</translation>
    </message>
    <message>
        <source>f(PX) = P·f(X) holds: max|Δ| = {size}, which is rounding</source>
        <translation>f(PX) = P·f(X) 成立：max|Δ| = {size}，只是舍入误差</translation>
    </message>
    <message>
        <source>f(PX) = P·f(X) holds: max|Δ| = {size}</source>
        <translation>f(PX) = P·f(X) 成立：max|Δ| = {size}</translation>
    </message>
    <message>
        <source>{first} and {second} trade places, with the same numbers.</source>
        <translation>{first} 和 {second} 交换位置，数值不变。</translation>
    </message>
    <message>
        <source>{count} outputs merely move along with their tokens, with the same numbers.</source>
        <translation>{count} 个输出只是跟着词元移动，数值不变。</translation>
    </message>
    <message>
        <source>The keys may come in any order: every output stays.</source>
        <translation>键可以按任意顺序排列：每个输出都不变。</translation>
    </message>
    <message>
        <source>{count} of {all} outputs have other numbers.</source>
        <translation>{all} 个输出中有 {count} 个的数值变了。</translation>
    </message>
    <message>
        <source>With these numbers it makes no difference, although:</source>
        <translation>对这些数值没有影响，尽管：</translation>
    </message>
    <message>
        <source>{output} changed by {size}</source>
        <translation>{output} 变了 {size}</translation>
    </message>
    <message>
        <source>{output} moved here</source>
        <translation>{output} 移到这里</translation>
    </message>
    <message>
        <source>{output} the same</source>
        <translation>{output} 不变</translation>
    </message>
</context>
<context>
    <name>RotaryOptions</name>
    <message>
        <source>Base of the angles</source>
        <translation>角度的底数</translation>
    </message>
    <message>
        <source>base</source>
        <translation>底数</translation>
    </message>
    <message>
        <source>Columns of each head that turn</source>
        <translation>每个头参与旋转的列数</translation>
    </message>
    <message>
        <source>columns that turn (dims)</source>
        <translation>参与旋转的列数（dims）</translation>
    </message>
    <message>
        <source>Set base to %1</source>
        <translation>将底数设为 %1</translation>
    </message>
    <message>
        <source>Set rotary layout to %1</source>
        <translation>将旋转布局设为 %1</translation>
    </message>
    <message>
        <source>Set rotary dims</source>
        <translation>设置旋转的列数</translation>
    </message>
    <message>
        <source>all %1</source>
        <translation>全部 %1</translation>
    </message>
    <message>
        <source>half: i and i + dims/2 (Llama)</source>
        <translation>half：第 i 列与第 i + dims/2 列（Llama）</translation>
    </message>
    <message>
        <source>interleaved: 2i and 2i + 1 (the paper)</source>
        <translation>interleaved：第 2i 列与第 2i + 1 列（论文）</translation>
    </message>
    <message>
        <source>columns that turn together</source>
        <translation>一起旋转的列</translation>
    </message>
</context>
<context>
    <name>RowBars</name>
    <message>
        <source>hidden</source>
        <translation>遮住</translation>
    </message>
</context>
<context>
    <name>RowCard</name>
    <message>
        <source>row “{token}” · where it looks</source>
        <translation>“{token}”这一行 · 看向哪里</translation>
    </message>
    <message>
        <source>… {count} more, together {weight}</source>
        <translation>… 另有 {count} 个，合计 {weight}</translation>
    </message>
    <message>
        <source>attends to nothing</source>
        <translation>什么也不关注</translation>
    </message>
    <message>
        <source>no entropy: a weight is NaN</source>
        <translation>没有熵：有权重是 NaN</translation>
    </message>
    <message>
        <source>entropy {entropy} bit · effective keys {effective} of {visible} visible</source>
        <translation>熵 {entropy} bit · 有效键数 {effective}，可见 {visible}</translation>
    </message>
</context>
<context>
    <name>ScalePopover</name>
    <message>
        <source>The raw scores are multiplied by</source>
        <translation>原始分数乘以</translation>
    </message>
    <message>
        <source>1 (no scale)</source>
        <translation>1（不缩放）</translation>
    </message>
    <message>
        <source>another number</source>
        <translation>其他数</translation>
    </message>
    <message>
        <source>softcap: c·tanh(s/c), c =</source>
        <translation>软上限：c·tanh(s/c)，c =</translation>
    </message>
    <message>
        <source>Softcap</source>
        <translation>软上限</translation>
    </message>
    <message>
        <source>No scaled score s leaves −c … c; small ones hardly change.</source>
        <translation>缩放后的分数 s 不会超出 −c … c；小的几乎不变。</translation>
    </message>
    <message>
        <source>Set scale to %1</source>
        <translation>将缩放设为 %1</translation>
    </message>
    <message>
        <source>Add softcap</source>
        <translation>添加软上限</translation>
    </message>
    <message>
        <source>Remove softcap</source>
        <translation>移除软上限</translation>
    </message>
    <message>
        <source>Set softcap to %1</source>
        <translation>将软上限设为 %1</translation>
    </message>
    <message>
        <source>norm q and k: q/√(mean of q² + ε)·g, likewise k</source>
        <translation>归一化 q 和 k：q/√(q² 的平均值 + ε)·g，k 同理</translation>
    </message>
    <message>
        <source>Each head&apos;s row is normed after its projection, before positions turn it.</source>
        <translation>每个头的各行在投影之后、按位置旋转之前归一化。</translation>
    </message>
    <message>
        <source>Norm queries and keys</source>
        <translation>归一化查询和键</translation>
    </message>
    <message>
        <source>Remove the norm of queries and keys</source>
        <translation>去掉查询和键的归一化</translation>
    </message>
    <message>
        <source>bias: s + b, a number for each query and key</source>
        <translation>偏置：s + b，每个查询和键一个数</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>of head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Bias of the scores</source>
        <translation>分数的偏置</translation>
    </message>
    <message>
        <source>Add a bias to the scores</source>
        <translation>给分数加上偏置</translation>
    </message>
    <message>
        <source>Remove the bias of the scores</source>
        <translation>去掉分数的偏置</translation>
    </message>
    <message>
        <source>Edit bias [%1,%2]</source>
        <translation>编辑偏置 [%1,%2]</translation>
    </message>
</context>
<context>
    <name>SessionDrop</name>
    <message>
        <source>{name} was opened, the first of {count}: a window shows one session.</source>
        <translation>已打开 {count} 个中的第一个 {name}：一个窗口只显示一个会话。</translation>
    </message>
</context>
<context>
    <name>Sharing</name>
    <message>
        <source>Which heads read which keys and values</source>
        <translation>哪些头读取哪些键和值</translation>
    </message>
    <message>
        <source>{shared}: {readers}</source>
        <translation>{shared}：{readers}</translation>
    </message>
</context>
<context>
    <name>SinusoidalOptions</name>
    <message>
        <source>Base of the wavelengths</source>
        <translation>波长的底数</translation>
    </message>
    <message>
        <source>base</source>
        <translation>底数</translation>
    </message>
    <message>
        <source>PE(p, 2i) = sin(p / base^(2i/d)), PE(p, 2i+1) = cos of the same</source>
        <translation>PE(p, 2i) = sin(p / 底数^(2i/d))，PE(p, 2i+1) = cos（同上）</translation>
    </message>
    <message>
        <source>Set base to %1</source>
        <translation>将底数设为 %1</translation>
    </message>
</context>
<context>
    <name>Slip</name>
    <message>
        <source>scale forgotten</source>
        <translation>忘了缩放</translation>
    </message>
    <message>
        <source>softmax over the queries</source>
        <translation>沿查询做 softmax</translation>
    </message>
    <message>
        <source>mask inverted</source>
        <translation>掩码反了</translation>
    </message>
    <message>
        <source>mask forgotten</source>
        <translation>忘了掩码</translation>
    </message>
    <message>
        <source>heads split without transpose</source>
        <translation>切分头时没有转置</translation>
    </message>
    <message>
        <source>scores transposed</source>
        <translation>分数转置了</translation>
    </message>
    <message>
        <source>√d_model for √d_k</source>
        <translation>把 √d_k 写成 √d_model</translation>
    </message>
    <message>
        <source>d_k for √d_k</source>
        <translation>把 √d_k 写成 d_k</translation>
    </message>
    <message>
        <source>W^O forgotten</source>
        <translation>忘了 W^O</translation>
    </message>
    <message>
        <source>softmax without the quotient</source>
        <translation>softmax 没有除以总和</translation>
    </message>
    <message>
        <source>softmax without the exponential</source>
        <translation>softmax 没有取指数</translation>
    </message>
    <message>
        <source>mask after the softmax</source>
        <translation>在 softmax 之后掩码</translation>
    </message>
    <message>
        <source>mask multiplied with 0</source>
        <translation>掩码用乘 0</translation>
    </message>
    <message>
        <source>mask of ones added</source>
        <translation>加上由 1 组成的掩码</translation>
    </message>
    <message>
        <source>weights averaged over heads</source>
        <translation>各头的权重取了平均</translation>
    </message>
    <message>
        <source>softmax over the heads</source>
        <translation>沿头做 softmax</translation>
    </message>
    <message>
        <source>This scene leaves no room for it: no key is hidden.</source>
        <translation>这个场景里犯不了这个错：没有键被遮住。</translation>
    </message>
    <message>
        <source>This scene leaves no room for it: there is one head.</source>
        <translation>这个场景里犯不了这个错：只有一个头。</translation>
    </message>
    <message>
        <source>This scene leaves no room for it: it does not divide by √d_k.</source>
        <translation>这个场景里犯不了这个错：它不除以 √d_k。</translation>
    </message>
    <message>
        <source>This scene leaves no room for it: queries and keys differ in number.</source>
        <translation>这个场景里犯不了这个错：查询和键的个数不同。</translation>
    </message>
    <message>
        <source>This scene leaves no room for it: there is no square W^O.</source>
        <translation>这个场景里犯不了这个错：没有方阵 W^O。</translation>
    </message>
    <message>
        <source>This scene leaves no room for it.</source>
        <translation>这个场景里犯不了这个错。</translation>
    </message>
</context>
<context>
    <name>Slips</name>
    <message>
        <source>Misconceptions</source>
        <translation>常见错误</translation>
    </message>
    <message>
        <source>What comes out when one step is done wrong, and where does the damage start?</source>
        <translation>某一步做错了，结果会怎样？错误从哪里开始？</translation>
    </message>
    <message>
        <source>The panels show a wrong result: {slip}.</source>
        <translation>面板显示的是错误的结果：{slip}。</translation>
    </message>
    <message>
        <source>The panels show wrong − right: {slip}.</source>
        <translation>面板显示的是 错误 − 正确：{slip}。</translation>
    </message>
    <message>
        <source>Slip</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>wrong − right</source>
        <translation>错误 − 正确</translation>
    </message>
    <message>
        <source>The panels show</source>
        <translation>面板显示</translation>
    </message>
    <message>
        <source>Largest deviation in each stage</source>
        <translation>各阶段的最大偏差</translation>
    </message>
    <message>
        <source>The damage: max|Δ| in each stage</source>
        <translation>影响：各阶段的 max|Δ|</translation>
    </message>
    <message>
        <source>A bar compares the deviation with the largest number of its stage.</source>
        <translation>横条是偏差与该阶段最大数之比。</translation>
    </message>
    <message>
        <source>Choose a slip: the right result stays beside it.</source>
        <translation>选一个错误：正确的结果仍在旁边。</translation>
    </message>
    <message>
        <source>With these numbers it makes no difference.</source>
        <translation>对这些数来说没有差别。</translation>
    </message>
    <message>
        <source>It starts at: {stage}. What comes before is right.</source>
        <translation>从这里开始出错：{stage}。之前都是对的。</translation>
    </message>
    <message>
        <source>No slip</source>
        <translation>不犯错</translation>
    </message>
    <message>
        <source>Slip: {name}</source>
        <translation>错误：{name}</translation>
    </message>
    <message>
        <source>Show {what}</source>
        <translation>显示{what}</translation>
    </message>
</context>
<context>
    <name>Stage</name>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>queries</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>键</translation>
    </message>
    <message>
        <source>values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>raw scores</source>
        <translation>原始分数</translation>
    </message>
    <message>
        <source>scaled scores</source>
        <translation>缩放后的分数</translation>
    </message>
    <message>
        <source>masked scores</source>
        <translation>掩码后的分数</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>注意力权重</translation>
    </message>
    <message>
        <source>head output</source>
        <translation>头的输出</translation>
    </message>
    <message>
        <source>concat</source>
        <translation>拼接</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
</context>
<context>
    <name>StatusFacts</name>
    <message>
        <source>loading torch …</source>
        <translation>正在加载 torch…</translation>
    </message>
    <message>
        <source>heads {count}</source>
        <translation>头数 {count}</translation>
    </message>
    <message>
        <source>K/V heads {count}</source>
        <translation>K/V 头数 {count}</translation>
    </message>
    <message>
        <source>computing …</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>{rows} attends to nothing</source>
        <translation>{rows} 什么也不关注</translation>
    </message>
    <message>
        <source>{rows} attend to nothing</source>
        <translation>{rows} 什么也不关注</translation>
    </message>
    <message>
        <source>torch has no function for this scene</source>
        <translation>torch 没有能算这个场景的函数</translation>
    </message>
    <message>
        <source>not what is shown: the right computation agrees with torch {name}</source>
        <translation>所示并非计算结果：正确的计算与 torch {name} 一致</translation>
    </message>
    <message>
        <source>✓ agrees with torch {name}, max|Δ| {difference}</source>
        <translation>✓ 与 torch {name} 一致，max|Δ| {difference}</translation>
    </message>
    <message>
        <source>✗ differs from torch {name}, max|Δ| {difference}</source>
        <translation>✗ 与 torch {name} 不一致，max|Δ| {difference}</translation>
    </message>
    <message>
        <source> in {count} sampled rows</source>
        <translation>（抽查 {count} 行）</translation>
    </message>
    <message>
        <source>{name}: not comparable, {reason}</source>
        <translation>{name}：无法比较，{reason}</translation>
    </message>
    <message>
        <source>not saved yet</source>
        <translation>尚未保存</translation>
    </message>
    <message>
        <source>modified</source>
        <translation>已修改</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>your own scene is kept</source>
        <translation>你自己的场景已留好</translation>
    </message>
</context>
<context>
    <name>Step</name>
    <message>
        <source>The input: one row per token</source>
        <translation>输入：每个词元一行</translation>
    </message>
    <message>
        <source>The context: where keys and values come from</source>
        <translation>上下文：键和值从这里来</translation>
    </message>
    <message>
        <source>Queries: what each token asks</source>
        <translation>查询：每个词元问什么</translation>
    </message>
    <message>
        <source>Keys: what each token answers to</source>
        <translation>键：每个词元回应什么</translation>
    </message>
    <message>
        <source>Values: what each token hands over</source>
        <translation>值：每个词元交出什么</translation>
    </message>
    <message>
        <source>Scores: every query with every key</source>
        <translation>分数：每个查询对每个键</translation>
    </message>
    <message>
        <source>Scaled, so that softmax stays soft</source>
        <translation>缩放：让 softmax 保持平缓</translation>
    </message>
    <message>
        <source>The mask hides keys</source>
        <translation>掩码：遮住一些键</translation>
    </message>
    <message>
        <source>Softmax over the keys</source>
        <translation>沿键的方向做 softmax</translation>
    </message>
    <message>
        <source>Weights mix the values</source>
        <translation>按权重混合各个值</translation>
    </message>
    <message>
        <source>The heads side by side</source>
        <translation>把各个头并排拼接</translation>
    </message>
    <message>
        <source>The output</source>
        <translation>输出</translation>
    </message>
</context>
<context>
    <name>StepsCard</name>
    <message>
        <source>step by step</source>
        <translation>逐步计算</translation>
    </message>
</context>
<context>
    <name>TableModel</name>
    <message>
        <source>“{text}” was not taken. {reason}.</source>
        <translation>“{text}”没有被采用。{reason}。</translation>
    </message>
</context>
<context>
    <name>Targets</name>
    <message>
        <source>Finite numbers are wanted here.</source>
        <translation>这里需要有限的数。</translation>
    </message>
</context>
<context>
    <name>TorchCount</name>
    <message>
        <source>Count this scene</source>
        <translation>数一数这个场景</translation>
    </message>
    <message>
        <source>It could not be counted: {reason}</source>
        <translation>数不出来：{reason}</translation>
    </message>
    <message>
        <source>Counting… the first time torch loads its counter, which takes seconds.</source>
        <translation>正在数…第一次 torch 要加载计数器，需要几秒。</translation>
    </message>
    <message>
        <source>This scene: {torch} operations, which is 2 × {ours} multiply-adds.</source>
        <translation>这个场景：{torch} 次运算，即 2 × {ours} 次乘加。</translation>
    </message>
    <message>
        <source>This scene: {torch} operations; in closed form 2 × {ours} multiply-adds.</source>
        <translation>这个场景：{torch} 次运算；按公式是 2 × {ours} 次乘加。</translation>
    </message>
</context>
<context>
    <name>TorchMask</name>
    <message>
        <source>MHA, padding apart</source>
        <translation>MHA，填充分开</translation>
    </message>
    <message>
        <source>additive</source>
        <translation>相加</translation>
    </message>
    <message>
        <source>Convention</source>
        <translation>约定</translation>
    </message>
    <message>
        <source>The mask as Python</source>
        <translation>用 Python 写的掩码</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>F.scaled_dot_product_attention(…, attn_mask=…): True = may be attended.</source>
        <translation>F.scaled_dot_product_attention(…, attn_mask=…)：True = 可以被注意。</translation>
    </message>
    <message>
        <source>nn.MultiheadAttention, attn_mask: True = blocked, the opposite.</source>
        <translation>nn.MultiheadAttention 的 attn_mask：True = 被屏蔽，正好相反。</translation>
    </message>
    <message>
        <source>nn.MultiheadAttention, attn_mask and key_padding_mask: True = blocked in both.</source>
        <translation>nn.MultiheadAttention 的 attn_mask 和 key_padding_mask：两者都是 True = 被屏蔽。</translation>
    </message>
    <message>
        <source>Both take numbers too: they are added to the scaled scores. True and False turned into numbers would be added as 1 and 0, and hide nothing.</source>
        <translation>两者也接受数字：它们被加到缩放后的分数上。把 True 和 False 变成数字，就只是加上 1 和 0，什么也遮不住。</translation>
    </message>
</context>
<context>
    <name>TurnedPart</name>
    <message>
        <source>What turns</source>
        <translation>旋转的是</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Pair of columns</source>
        <translation>列对</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Pair</source>
        <translation>列对</translation>
    </message>
    <message>
        <source>Lengths stay, and a score depends on where its two tokens are only by their distance i − j: q is turned by i, k by j.</source>
        <translation>长度不变；分数只通过距离 i − j 取决于两个词元的位置：q 按 i 旋转，k 按 j 旋转。</translation>
    </message>
    <message>
        <source>One pair in the plane</source>
        <translation>平面中的一对列</translation>
    </message>
    <message>
        <source>All columns</source>
        <translation>所有列</translation>
    </message>
    <message>
        <source>before the turn</source>
        <translation>旋转前</translation>
    </message>
    <message>
        <source>after the turn</source>
        <translation>旋转后</translation>
    </message>
    <message>
        <source>“{token}” stands at position {place}, so columns {first} and {second} turn by θ = {place}·{speed} = {angle}, that is {degrees}°. The length stays: {before} before, {after} after.</source>
        <translation>“{token}”在位置 {place}，所以第 {first} 列和第 {second} 列旋转 θ = {place}·{speed} = {angle}，即 {degrees}°。长度不变：之前 {before}，之后 {after}。</translation>
    </message>
</context>
<context>
    <name>Waiting</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>WindowOptions</name>
    <message>
        <source>Keys to the left</source>
        <translation>左边的键数</translation>
    </message>
    <message>
        <source>Keys to the right</source>
        <translation>右边的键数</translation>
    </message>
    <message>
        <source>left</source>
        <translation>左</translation>
    </message>
    <message>
        <source>right</source>
        <translation>右</translation>
    </message>
    <message>
        <source>Change window</source>
        <translation>修改窗口</translation>
    </message>
</context>
<context>
    <name>WordsPane</name>
    <message>
        <source>The {shown} strongest lines are drawn; {left} more are too many to tell apart.</source>
        <translation>画出了最强的 {shown} 条线；其余 {left} 条太多，无法分辨。</translation>
    </message>
    <message>
        <source>Of each query the {count} strongest lines are drawn; “keys per query” has more.</source>
        <translation>每个查询只画出最强的 {count} 条线；可用“每个查询的键数”增加。</translation>
    </message>
    <message>
        <source>what each key sends</source>
        <translation>每个键送出的</translation>
    </message>
    <message>
        <source>All stages of {head}</source>
        <translation>{head}的所有阶段</translation>
    </message>
</context>
<context>
    <name>WorksheetDialog</name>
    <message>
        <source>Worksheet</source>
        <translation>练习卷</translation>
    </message>
    <message>
        <source>{count} pages</source>
        <translation>{count} 页</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>To be filled in</source>
        <translation>留空</translation>
    </message>
    <message>
        <source>Paper</source>
        <translation>纸张</translation>
    </message>
    <message>
        <source>As in this scene</source>
        <translation>与场景相同</translation>
    </message>
    <message>
        <source>Small whole numbers</source>
        <translation>小整数</translation>
    </message>
    <message>
        <source>Versions</source>
        <translation>份数</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Only the covered numbers</source>
        <translation>只留盖住的数</translation>
    </message>
    <message>
        <source>Exercises and answers</source>
        <translation>题目和答案</translation>
    </message>
    <message>
        <source>Exercises</source>
        <translation>题目</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Decimals</source>
        <translation>小数位数</translation>
    </message>
    <message>
        <source>Save PDF…</source>
        <translation>保存 PDF…</translation>
    </message>
    <message>
        <source>Save Markdown…</source>
        <translation>保存 Markdown…</translation>
    </message>
    <message>
        <source>Print…</source>
        <translation>打印…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Making the pages …</source>
        <translation>正在生成页面 …</translation>
    </message>
</context>
<context>
    <name>_Empty</name>
    <message>
        <source>Click a number to see where it comes from.</source>
        <translation>点击一个数，看看它是怎么来的。</translation>
    </message>
    <message>
        <source>Tab</source>
        <translation>Tab</translation>
    </message>
    <message>
        <source>from panel to panel</source>
        <translation>在面板之间移动</translation>
    </message>
    <message>
        <source>from number to number</source>
        <translation>在数字之间移动</translation>
    </message>
    <message>
        <source>Alt+←</source>
        <translation>Alt+←</translation>
    </message>
    <message>
        <source>back along the trail</source>
        <translation>沿来路后退</translation>
    </message>
</context>
<context>
    <name>_Scaling</name>
    <message>
        <source>spread of the scores</source>
        <translation>分数的离散程度</translation>
    </message>
    <message>
        <source>largest weight, mean</source>
        <translation>最大权重（平均）</translation>
    </message>
    <message>
        <source>gradient of softmax, mean</source>
        <translation>softmax 的梯度（平均）</translation>
    </message>
    <message>
        <source>plain</source>
        <translation>不缩放</translation>
    </message>
    <message>
        <source>Gradient of softmax over d_k</source>
        <translation>softmax 的梯度随 d_k 的变化</translation>
    </message>
    <message>
        <source>Expected spread: √d_k = {plain}, and 1 once divided.</source>
        <translation>预期的离散程度：√d_k = {plain}，除过之后是 1。</translation>
    </message>
</context>
</TS>
