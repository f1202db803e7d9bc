// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

ptx.kernel @no_semicolon(%x : i32) {
  // CHECK: error[T5-PTX-112]: ptx.inline: text of the inline instruction must be one instruction that ends with a semicolon; found no semicolon at the end
  ptx.inline "nanosleep.u32 $0" (%x : i32)
  ptx.ret
}

// -----

ptx.kernel @several() {
  // CHECK: error[T5-PTX-112]: ptx.inline: text of the inline instruction must be one instruction; found several statements or lines
  ptx.inline "bar.sync 0; bar.sync 1;"
  ptx.ret
}

// -----

ptx.kernel @guarded(%x : i32) {
  // CHECK: error[T5-PTX-112]: ptx.inline: text of the inline instruction must be an instruction, without a guard, a label or a block; found @%p
  ptx.inline "@%p bar.sync 0;"
  ptx.ret
}

// -----

ptx.kernel @label() {
  // CHECK: error[T5-PTX-112]: ptx.inline: text of the inline instruction must be an instruction, without a guard, a label or a block; found L:
  ptx.inline "L: bar.sync 0;"
  ptx.ret
}

// -----

ptx.kernel @comment() {
  // CHECK: error[T5-PTX-112]: ptx.inline: text of the inline instruction must be an instruction without comments; found a comment
  ptx.inline "bar.sync /* all */ 0;"
  ptx.ret
}

// -----

ptx.kernel @brackets(%x : i32) {
  // CHECK: error[T5-PTX-112]: ptx.inline: text of the inline instruction must be one instruction; found brackets that do not match
  ptx.inline "st.shared.b32 [$0, 1;" (%x : i32)
  ptx.ret
}

// -----

ptx.kernel @placeholders(%x : i32) {
  // CHECK: error[T5-PTX-112]: ptx.inline: placeholders of the inline instruction must be $0, $1; found $0, $2
  %y = ptx.inline "add.u32 $0, $2, 1;" (%x : i32) -> i32
  ptx.ret
}

// -----

ptx.kernel @keeps(%x : i32, %old : i64) {
  // CHECK: error[T5-PTX-112]: ptx.inline: types after keeps must be i32; found i64
  %y = ptx.inline "add.u32 $0, $1, 1;" (%x : i32) keeps (%old : i64) -> i32
  ptx.ret
}

// -----

// CHECK: error[T5-PTX-112]: ptx.declaration: declaration must be a directive such as ".global .b32 x;"; found 'x'
ptx.declaration "x"

// -----

ptx.kernel @pragma() {
  // CHECK: error[T5-PTX-112]: ptx.pragma: pragma must be text without quotes, backslashes and line ends; found
  ptx.pragma "no\"unroll"
  ptx.ret
}
