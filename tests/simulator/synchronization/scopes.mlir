// Two CTAs write to each other's shared memory. They synchronise by barrier objects, first with
// semantics and then with fences, and by a flag; each scope is that of the cluster.
// Mistakes are found under every schedule.
//
// argument a: u32 32
// argument out: u32 32
// argument last: u32 1
// result out: a + 1
// result last: np.array([32])

ptx.shared_memory @stage size 128 alignment 4
ptx.shared_memory @answer size 128 alignment 4
ptx.shared_memory @word size 4 alignment 4
ptx.shared_memory @flag size 4 alignment 4
ptx.shared_memory @written size 8 alignment 8
ptx.shared_memory @answered size 8 alignment 8

ptx.kernel @scopes(%a : i64, %out : i64, %last : i64)
    attributes {reqntid = array<i32: 32, 1, 1>, cluster_dims = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %stage = ptx.address_of @stage
  %answer = ptx.address_of @answer
  %word = ptx.address_of @word
  %flag = ptx.address_of @flag
  %written = ptx.address_of @written
  %answered = ptx.address_of @answered
  %lane = ptx.special_register laneid
  %rank = ptx.special_register cluster_ctarank
  %from = ptx.mad.wide u32 %lane, %c4, %a
  %to = ptx.mad.wide u32 %lane, %c4, %out
  %my_stage = ptx.mad u32 %lane, %c4, %stage
  %my_answer = ptx.mad u32 %lane, %c4, %answer
  %is_first_lane = arith.cmpi eq, %lane, %c0 : i32
  %is_first_cta = arith.cmpi eq, %rank, %c0 : i32
  scf.if %is_first_lane {
    ptx.mbarrier.init [%written], %c32
    ptx.mbarrier.init [%answered], %c32
    ptx.st relaxed cta "shared::cta" b32 [%flag], {%c0}
    ptx.fence.mbarrier_init
  }
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait
  scf.if %is_first_cta {
    // step: scope of the wait [T5-SIM-014] -> ptx.mbarrier.wait acquire cta [%written], %c0
    ptx.mbarrier.wait acquire cluster [%written], %c0
    %v = ptx.ld "shared::cta" b32 [%my_stage] -> i32
    %sum = arith.addi %v, %c1 : i32
    %their_answer = ptx.mapa %my_answer, %c1
    %their_answered = ptx.mapa %answered, %c1
    ptx.st "shared::cluster" b32 [%their_answer], {%sum}
    // step: scope of the fence before the arrival [T5-SIM-014] -> ptx.fence acq_rel cta
    ptx.fence acq_rel cluster
    // step: scope of the relaxed arrival [T5-SIM-014] -> ptx.mbarrier.arrive.remote relaxed cta [%their_answered]
    ptx.mbarrier.arrive.remote relaxed cluster [%their_answered]
    scf.if %is_first_lane {
      %their_word = ptx.mapa %word, %c1
      %their_flag = ptx.mapa %flag, %c1
      ptx.st "shared::cluster" b32 [%their_word], {%c32}
      // step: scope of the flag's write [T5-SIM-014] -> ptx.st release cta "shared::cluster" b32 [%their_flag], {%c1}
      ptx.st release cluster "shared::cluster" b32 [%their_flag], {%c1}
    }
  } else {
    %their_stage = ptx.mapa %my_stage, %c0
    %their_written = ptx.mapa %written, %c0
    %v = ptx.ld global b32 [%from] -> i32
    ptx.st "shared::cluster" b32 [%their_stage], {%v}
    // step: scope of the arrival [T5-SIM-014] -> ptx.mbarrier.arrive.remote release cta [%their_written]
    // step: release of the arrival [T5-SIM-014] -> ptx.mbarrier.arrive.remote relaxed cluster [%their_written]
    ptx.mbarrier.arrive.remote release cluster [%their_written]
    ptx.mbarrier.wait relaxed cluster [%answered], %c0
    // step: scope of the fence after the wait [T5-SIM-014] -> ptx.fence acq_rel cta
    ptx.fence acq_rel cluster
    %w = ptx.ld "shared::cta" b32 [%my_answer] -> i32
    ptx.st global b32 [%to], {%w}
    scf.if %is_first_lane {
      // step: scope of the flag's read [T5-SIM-014] -> scf.while () : () -> () { %f = ptx.ld acquire cta "shared::cta" b32 [%flag] -> i32 %clear = arith.cmpi eq, %f, %c0 : i32 scf.condition(%clear) } do { scf.yield }
      scf.while () : () -> () { %f = ptx.ld acquire cluster "shared::cta" b32 [%flag] -> i32 %clear = arith.cmpi eq, %f, %c0 : i32 scf.condition(%clear) } do { scf.yield }
      %x = ptx.ld "shared::cta" b32 [%word] -> i32
      ptx.st global b32 [%last], {%x}
    }
  }
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait
  ptx.ret
}
