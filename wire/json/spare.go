package json

import "sync"

// buffers are buffers of documents that were sent, of which those that come make use: the
// text of a route is a half of what a request for it allocates.
var buffers sync.Pool // of *[]byte

// Buffers of other sizes are not worth keeping.
const (
	leastSpare = 4 << 10
	mostSpare  = 256 << 10
)

// Free gives the bytes of a document up for others to write in. Nobody may read it any
// more.
func Free(document []byte) {
	if c := cap(document); c >= leastSpare && c <= mostSpare {
		document = document[:0]
		buffers.Put(&document)
	}
}

// room returns a buffer for n bytes.
func room(n int) []byte {
	if n >= leastSpare {
		if b, ok := buffers.Get().(*[]byte); ok && cap(*b) >= n {
			return *b
		}
		n += n / 4 // for longer ones to come
	}
	return make([]byte, 0, n)
}
