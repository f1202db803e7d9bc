// RUN: tcgen05-opt %s --print-op-generic -o %t.mlir && filecheck --input-file %t.mlir %s --match-full-lines --check-prefix GENERIC
// RUN: tcgen05-opt %t.mlir | tcgen05-opt - | filecheck %s --match-full-lines
// RUN: tcgen05-opt %s -t ptx -o %t.ptx && filecheck --input-file %t.ptx %s --match-full-lines --check-prefix PTX
// RUN: %ptxas --gpu-name sm_100a -o %t.cubin %t.ptx

// CHECK: ptx.shared_memory @static size 1024 alignment 128
// GENERIC: "ptx.shared_memory"() <{sym_name = "static", size = 1024 : i64, alignment = 128 : i64}> : () -> ()
// PTX: .shared .align 128 .b8 static[1024];
ptx.shared_memory @static size 1024 alignment 128
// CHECK-NEXT: ptx.shared_memory @dynamic alignment 1024
// GENERIC-NEXT: "ptx.shared_memory"() <{sym_name = "dynamic", alignment = 1024 : i64}> : () -> ()
// PTX-NEXT: .extern .shared .align 1024 .b8 dynamic[];
ptx.shared_memory @dynamic alignment 1024
// CHECK-NEXT: ptx.shared_memory @needed needs 2048 alignment 16
// GENERIC-NEXT: "ptx.shared_memory"() <{sym_name = "needed", needs = 2048 : i64, alignment = 16 : i64}> : () -> ()
// PTX-NEXT: .extern .shared .align 16 .b8 needed[];
ptx.shared_memory @needed needs 2048 alignment 16
// CHECK-NEXT: ptx.shared_memory @"$noted_1" size 4 alignment 4 {user.note}
// GENERIC-NEXT: "ptx.shared_memory"() <{sym_name = "$noted_1", size = 4 : i64, alignment = 4 : i64}> {user.note} : () -> ()
// PTX-NEXT: .shared .align 4 .b8 $noted_1[4];
ptx.shared_memory @"$noted_1" size 4 alignment 4 {user.note}

// CHECK-NEXT: ptx.kernel @empty() {
// CHECK-NEXT: ptx.ret
// CHECK-NEXT: }
// GENERIC-NEXT: "ptx.kernel"() <{sym_name = "empty"}> ({
// GENERIC-NEXT: "ptx.ret"() : () -> ()
// GENERIC-NEXT: }) : () -> ()
// PTX: .visible .entry empty(
// PTX-NEXT: )
// PTX-NEXT: {
// PTX-NOT: .reg
// PTX: ret;
// PTX-NEXT: }
ptx.kernel @empty() {
  ptx.ret
}

// Parameters of each type; a tensor map is known by its generic address, other bytes by theirs.
// CHECK-NEXT: ptx.kernel @parameters(%h: i16, %i: f16, %b: bf16, %x: i32, %f: f32, %l: i64, %d: f64, %map: !ptx.tensor_map, %bytes: !ptx.param_array<12, 4>) {
// GENERIC-NEXT: "ptx.kernel"() <{sym_name = "parameters"}> ({
// GENERIC-NEXT: ^bb0(%h: i16, %i: f16, %b: bf16, %x: i32, %f: f32, %l: i64, %d: f64, %map: !ptx.tensor_map, %bytes: !ptx.param_array<12, 4>):
// PTX: .visible .entry parameters(
// PTX-NEXT: .param .b16 parameters_param_0,
// PTX-NEXT: .param .b16 parameters_param_1,
// PTX-NEXT: .param .b16 parameters_param_2,
// PTX-NEXT: .param .b32 parameters_param_3,
// PTX-NEXT: .param .b32 parameters_param_4,
// PTX-NEXT: .param .b64 parameters_param_5,
// PTX-NEXT: .param .b64 parameters_param_6,
// PTX-NEXT: .param .align 64 .b8 parameters_param_7[128],
// PTX-NEXT: .param .align 4 .b8 parameters_param_8[12]
// PTX-NEXT: )
// PTX-NEXT: {
// PTX-NEXT: .reg .b16 %rs<4>;
// PTX-NEXT: .reg .b32 %r<3>;
// PTX-NEXT: .reg .b64 %rd<5>;
// PTX: ld.param.b16 %rs1, [parameters_param_0];
// PTX-NEXT: ld.param.b16 %rs2, [parameters_param_1];
// PTX-NEXT: ld.param.b16 %rs3, [parameters_param_2];
// PTX-NEXT: ld.param.b32 %r1, [parameters_param_3];
// PTX-NEXT: ld.param.b32 %r2, [parameters_param_4];
// PTX-NEXT: ld.param.b64 %rd1, [parameters_param_5];
// PTX-NEXT: ld.param.b64 %rd2, [parameters_param_6];
// PTX-NEXT: mov.b64 %rd3, parameters_param_7;
// PTX-NEXT: cvta.param.u64 %rd3, %rd3;
// PTX-NEXT: mov.b64 %rd4, parameters_param_8;
// PTX-NEXT: ret;
ptx.kernel @parameters(%h : i16, %i : f16, %b : bf16, %x : i32, %f : f32, %l : i64, %d : f64, %map : !ptx.tensor_map, %bytes : !ptx.param_array<12, 4>) {
  ptx.ret
}

// CHECK: ptx.kernel @directives() attributes {maxntid = array<i32: 128, 2, 1>, minnctapersm = 2 : i32, maxnreg = 64 : i32, cluster_dims = array<i32: 2, 1, 1>, user.note} {
// GENERIC: "ptx.kernel"() <{sym_name = "directives", maxntid = array<i32: 128, 2, 1>, minnctapersm = 2 : i32, maxnreg = 64 : i32, cluster_dims = array<i32: 2, 1, 1>}> ({
// GENERIC-NEXT: "ptx.ret"() : () -> ()
// GENERIC-NEXT: }) {user.note} : () -> ()
// PTX: .visible .entry directives(
// PTX-NEXT: )
// PTX-DAG: .maxntid 128, 2, 1
// PTX-DAG: .explicitcluster
// PTX-DAG: .reqnctapercluster 2, 1, 1
// PTX-DAG: .minnctapersm 2
// PTX-DAG: .maxnreg 64
// PTX: {
ptx.kernel @directives() attributes {maxntid = array<i32: 128, 2, 1>, minnctapersm = 2 : i32, maxnreg = 64 : i32, cluster_dims = array<i32: 2, 1, 1>, user.note} {
  ptx.ret
}

// CHECK: ptx.kernel @required() attributes {reqntid = array<i32: 32>, minnctapersm = 1 : i32} {
// GENERIC: "ptx.kernel"() <{sym_name = "required", reqntid = array<i32: 32>, minnctapersm = 1 : i32}> ({
// PTX: .visible .entry required(
// PTX-NEXT: )
// PTX-DAG: .reqntid 32
// PTX-DAG: .minnctapersm 1
// PTX: {
ptx.kernel @required() attributes {reqntid = array<i32: 32>, minnctapersm = 1 : i32} {
  ptx.ret
}
