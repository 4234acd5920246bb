/* Cilk Plus has a header of this name, and nothing in it.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef CILK_REDUCER_FILE_H
#define CILK_REDUCER_FILE_H

#endif
