package api

import (
	"bytes"
	"maps"
	"net/http"
)

// toll stands between a handler and the answer: it prices what is charged, and
// holds the answer of a call that pays for itself back until it is paid.
type toll struct {
	http.ResponseWriter
	visit  *visit
	before http.Header   // as the handler found it
	held   *bytes.Buffer // the answer to be paid for; nil while nothing is held
	status int
	done   bool // the handler came to its end
}

func newToll(w http.ResponseWriter, v *visit) *toll {
	t := &toll{ResponseWriter: w, visit: v}
	if v.lane == lanePayment || v.request.Header.Get(paymentHeader) != "" {
		t.before = w.Header().Clone()
	}
	return t
}

// WriteHeader prices the answer and sends or holds it.
func (t *toll) WriteHeader(code int) {
	if t.status != 0 {
		return
	}
	if code < http.StatusBadRequest {
		t.visit.priced(t.Header())
		if t.visit.lane == lanePayment {
			t.held = new(bytes.Buffer)
		}
	}
	t.status = code
	if t.held == nil {
		t.ResponseWriter.WriteHeader(code)
	}
}

func (t *toll) Write(p []byte) (int, error) {
	if t.status == 0 {
		t.WriteHeader(http.StatusOK)
	}
	if t.held != nil {
		return t.held.Write(p)
	}
	return t.ResponseWriter.Write(p)
}

// Unwrap serves http.ResponseController.
func (t *toll) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// finish ends an answer whose handler has come to its end.
func (t *toll) finish() {
	if t.status == 0 {
		t.WriteHeader(http.StatusOK)
	}
	if t.held != nil {
		t.collect()
	}
	t.done = true
}

// collect takes the payment and lets the answer go, or refuses. A client that
// has left by now pays nothing; once begun, a settlement is seen through.
func (t *toll) collect() {
	response, err := "", t.visit.request.Context().Err()
	if err == nil {
		response, err = t.visit.settlePayment()
	}
	if err != nil {
		clear(t.Header())
		maps.Copy(t.Header(), t.before)
		t.held, t.status = nil, 0
	}
	if response != "" {
		t.Header().Set(paymentResponse, response)
	}
	if err != nil {
		refuse(t, t.visit.request, err, t.visit.row.fail())
		return
	}
	t.ResponseWriter.WriteHeader(t.status)
	_, _ = t.ResponseWriter.Write(t.held.Bytes()) // a client that left by now has paid
}

// settle charges or gives back. After a panic the call failed, whatever had
// been sent.
func (t *toll) settle() {
	status := t.status
	if !t.done {
		status = http.StatusInternalServerError
	}
	v := t.visit
	if status < http.StatusBadRequest && v.reserved {
		v.api.metrics.charged(v.lane, string(v.class), v.charged())
	}
	if v.verified {
		v.office().Till.Release(v.payment)
	}
	v.pass.Settle(status)
}
