package e2e

import (
	"net/http"
	"regexp"
	"slices"
	"time"

	"github.com/waygate/waygate/waittest"
)

// jobOf reads the job out of an answer.
func (w *walk) jobOf(text string) (job struct{ ID, State string }) {
	w.t.Helper()
	found := regexp.MustCompile(`"(id|state)": ?"(\w+)"`).FindAllStringSubmatch(text, 4)
	for _, f := range found {
		if f[1] == "id" && job.ID == "" {
			job.ID = f[2]
		} else if f[1] == "state" && job.State == "" {
			job.State = f[2]
		}
	}
	return job
}

// work waits for the end of a job and measures it, and cancels another like it while
// it runs.
func (w *walk) work(c *took) {
	w.t.Helper()
	if c.status != http.StatusAccepted {
		return
	}
	id := w.jobOf(c.excerpt).ID
	before, _ := w.meter.memory()
	began, used := time.Now(), w.meter.processor()
	get := sending{http.MethodGet, "/v1/jobs/" + id, ""}
	ended, most := false, int64(0)
	for !ended && time.Since(began) < longest {
		time.Sleep(50 * time.Millisecond)
		one, err := w.send(get, "", 0)
		if err != nil {
			w.t.Fatal(err)
		}
		_, now := w.meter.memory()
		most = max(most, now)
		ended = !slices.Contains([]string{"queued", "running"}, w.jobOf(one.excerpt).State)
	}
	worked := w.meter.processor() - used
	if c.memory = max(c.memory, most-before); worked < alwaysTime {
		return
	}
	if !ended {
		w.cancel(c.variant, id)
		return
	}
	out, err := w.write(c.variant)
	if err != nil {
		w.t.Fatal(err)
	}
	again, err := w.send(out, "", 0)
	if err != nil || again.status != http.StatusAccepted {
		return
	}
	id = w.jobOf(again.excerpt).ID
	waittest.Until(w.t, "a job runs", func() bool {
		one, err := w.send(sending{http.MethodGet, "/v1/jobs/" + id, ""}, "", 0)
		return err != nil || w.jobOf(one.excerpt).State != "queued"
	})
	time.Sleep(300 * time.Millisecond)
	w.cancel(c.variant, id)
}

// cancel cancels a job that runs, whose work is to end soon.
func (w *walk) cancel(r variant, id string) {
	w.t.Helper()
	if _, err := w.send(sending{http.MethodDelete, "/v1/jobs/" + id, ""}, "", 0); err != nil {
		w.t.Fatal(err)
	}
	used, idle := w.meter.rest(30 * time.Second)
	if used > time.Second {
		w.late(used, time.Second, "%s: the job was cancelled, and worked on for %d ms of processor time", r, used.Milliseconds())
	}
	if !idle {
		w.late(used, time.Second, "%s: the job was cancelled, and does not come to rest within 30 s", r)
		w.start()
	}
}

// clear takes away what a request has left to be done.
func (w *walk) clear(r variant, c took) {
	if r.of.path == "/v1/watches" {
		_, _ = w.send(sending{http.MethodDelete, "/v1/watches/" + w.jobOf(c.excerpt).ID, ""}, "", 0)
	}
	if r.of.speaks() { // pending clips are made all the same
		w.meter.rest(longest)
	}
}
