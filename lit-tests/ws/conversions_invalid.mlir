// RUN: tcgen05-opt %s --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s

func.func @f(%v : vector<4xf32>) {
  // CHECK: error[T5-WS-018]: ws.sitofp: what a thread holds must be a vector of integers with one dimension, such as vector<32xi32>; found vector<4xf32>
  %x = ws.sitofp %v -> vector<4xf32>
  func.return
}

// -----

func.func @f(%v : vector<4xi32>) {
  // CHECK: error[T5-WS-018]: ws.sitofp: the type of the result must be a vector of 4 floating-point numbers; found vector<2xf32>
  %x = ws.sitofp %v -> vector<2xf32>
  func.return
}

// -----

func.func @f(%v : vector<4xui8>) {
  // CHECK: error[T5-WS-018]: ws.sitofp: what a thread holds must be signed integers; found vector<4xui8>
  // CHECK: use ws.uitofp
  %x = ws.sitofp %v -> vector<4xf32>
  func.return
}

// -----

func.func @f(%v : vector<4xsi8>) {
  // CHECK: error[T5-WS-018]: ws.uitofp: what a thread holds must be unsigned integers; found vector<4xsi8>
  // CHECK: use ws.sitofp
  %x = ws.uitofp %v -> vector<4xf32>
  func.return
}
