; What no C++ source can say: calls function(argument) and returns the _Unwind_Exception that it
; threw, not caught yet, or null. The split's landing pads hand exceptions to the runtime in this
; state. Used by clones.cpp.
target triple = "x86_64-pc-linux-gnu"

declare i32 @__gxx_personality_v0(...)

define ptr @invoke_raw(ptr %function, ptr %argument) uwtable personality ptr @__gxx_personality_v0 {
entry:
  invoke void %function(ptr %argument) to label %returned unwind label %thrown

returned:
  ret ptr null

thrown:
  %pad = landingpad { ptr, i32 } catch ptr null
  %exception = extractvalue { ptr, i32 } %pad, 0
  ret ptr %exception
}
