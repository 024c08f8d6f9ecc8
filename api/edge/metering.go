package edge

import (
	"bytes"
	"maps"
	"net/http"
)

// meteringWriter writes the answer of a metered call: it sets the header with what the
// answer costs, and keeps the answer of a call that pays for itself until the payment is
// settled.
type meteringWriter struct {
	http.ResponseWriter
	call   *Call
	before http.Header   // as the handler found it
	body   *bytes.Buffer // the answer that is kept back; nil where none is
	status int
	done   bool // the handler came to its end
}

func newMeteringWriter(w http.ResponseWriter, c *Call) *meteringWriter {
	m := &meteringWriter{ResponseWriter: w, call: c}
	if c.lane == lanePayment || c.request.Header.Get(paymentHeader) != "" {
		m.before = w.Header().Clone()
	}
	return m
}

// WriteHeader sends what the answer costs with its status, or keeps both back.
func (m *meteringWriter) WriteHeader(code int) {
	if m.status != 0 {
		return
	}
	m.call.work.Written()
	switch {
	case code < http.StatusBadRequest:
		m.call.costHeader(m.Header())
		if m.call.lane == lanePayment && !m.call.work.EstimateOnly {
			m.body = new(bytes.Buffer)
		}
	case m.call.owes(code):
		m.call.costHeader(m.Header())
		m.call.admission.Owe()
	}
	m.status = code
	if m.body == nil {
		m.ResponseWriter.WriteHeader(code)
	}
}

func (m *meteringWriter) Write(p []byte) (int, error) {
	if m.status == 0 {
		m.WriteHeader(http.StatusOK)
	}
	if m.body != nil {
		return m.body.Write(p)
	}
	return m.ResponseWriter.Write(p)
}

// Unwrap serves http.ResponseController.
func (m *meteringWriter) Unwrap() http.ResponseWriter { return m.ResponseWriter }

// finish ends an answer whose handler has come to its end.
func (m *meteringWriter) finish() {
	if m.status == 0 {
		m.WriteHeader(http.StatusOK)
	}
	if m.body != nil {
		m.collect()
	}
	m.done = true
}

// collect takes the payment and lets the answer go, or refuses. A client that
// has left by now pays nothing; once begun, a settlement is seen through.
func (m *meteringWriter) collect() {
	response, err := "", m.call.request.Context().Err()
	if err == nil {
		response, err = m.call.settlePayment()
	}
	if err != nil {
		clear(m.Header())
		maps.Copy(m.Header(), m.before)
		m.body, m.status = nil, 0
	}
	if response != "" {
		m.Header().Set(paymentResponse, response)
	}
	if err != nil {
		refuse(m, m.call.request, err, m.call.row.envelope())
		return
	}
	m.ResponseWriter.WriteHeader(m.status)
	_, _ = m.ResponseWriter.Write(m.body.Bytes()) // a client that left by now has paid
}

// settle charges or gives back. After a panic the call failed, whatever had
// been sent.
func (m *meteringWriter) settle() {
	status := m.status
	if !m.done {
		status = http.StatusInternalServerError
	}
	c := m.call
	if c.reserved && (status < http.StatusBadRequest || c.owes(status)) {
		c.edge.metrics.Charged(c.lane, string(c.class), c.charged())
	}
	if c.verified {
		c.edge.options.Payments.Release(c.payment)
	}
	c.admission.Settle(status)
}
