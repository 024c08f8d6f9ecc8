package e2e

import (
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/waygate/waygate/waittest"
)

// traffic makes calls with a key at one gateway, one unit each.
type traffic struct {
	gateway *gateway
	key     string
	workers int           // that call at the same time, 1 where 0
	every   time.Duration // between two calls of a worker; 0 is at once
}

// outcome is the result of a call.
type outcome struct {
	at     time.Time // of the answer
	took   time.Duration
	status int // 0 where there was no answer
}

// oneUnit is a call that is answered without a map, so that much of what a
// gateway does for it is admission. It is a POST, which no client repeats.
const oneUnit = `{"adr":{"dimensions":{"height_m":4,"width_m":2,"length_m":9,"gross_weight_t":9},"hazmat":true,"tunnel_code":"C"},"tunnel_category":"C"}`

// once makes one call.
func (l traffic) once() outcome {
	header := []string{"Content-Type: application/json"}
	if l.key != "" {
		header = append(header, bearer(l.key))
	}
	began := time.Now()
	a, err := request(http.MethodPost, l.gateway.url+"/adr/check", oneUnit, header...)
	o := outcome{at: time.Now()}
	o.took = o.at.Sub(began)
	if err == nil {
		o.status = a.status
	}
	return o
}

// run calls until done says so of what one worker has seen.
func (l traffic) run(done func(mine []outcome) bool) (all []outcome) {
	var mu sync.Mutex
	var work sync.WaitGroup
	for range max(1, l.workers) {
		work.Go(func() {
			var mine []outcome
			for !done(mine) {
				mine = append(mine, l.once())
				time.Sleep(l.every)
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, mine...)
		})
	}
	work.Wait()
	slices.SortFunc(all, func(a, b outcome) int { return a.at.Compare(b.at) })
	return all
}

// refusals returns a done: so many answers were of a status, or nobody waits any longer.
func refusals(status, n int) func([]outcome) bool {
	end := time.Now().Add(waittest.Patience)
	return func(mine []outcome) bool { return counted(mine, status) >= n || time.Now().After(end) }
}

// counted returns how many calls had a status.
func counted(all []outcome, status int) (n int) {
	for _, o := range all {
		if o.status == status {
			n++
		}
	}
	return n
}
