package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/waygate/waygate/engine/scheduled"
)

// schedule collects for the metrics how the engines' calls are admitted.
type schedule struct {
	s                                               *scheduled.Scheduler
	seats, taken, waiting, queued, calls, waited    *prometheus.Desc
	refused, moved, memory, memoryLimit, mostMemory *prometheus.Desc
	takenBack, overdue                              *prometheus.Desc
}

// OfSchedule collects the classes, the queues and the memory of a scheduler of engine calls.
func OfSchedule(s *scheduled.Scheduler) prometheus.Collector {
	lane, none := []string{"lane"}, []string(nil)
	desc := func(name, help string, labels []string) *prometheus.Desc {
		return prometheus.NewDesc("waygate_calls_"+name, help, labels, nil)
	}
	return &schedule{
		s:           s,
		seats:       desc("seats", "Calls of the routing engine that may run at once, by lane: small calls, and seats of dear ones.", lane),
		taken:       desc("seats_taken", "Seats that are taken, by lane; those of remote are calls under way.", lane),
		waiting:     desc("waiting", "Calls that wait for a seat, by lane.", lane),
		queued:      desc("waiting_seconds", "Work of those that wait, as estimated, by lane.", lane),
		calls:       desc("admitted_total", "Calls that had a seat, by lane.", lane),
		waited:      desc("waited_seconds_total", "Time that these waited for it, together, by lane.", lane),
		refused:     desc("refused_total", "Calls turned down: too_dear for the time of a request, full line, busy for too long, late because the turn did not come.", []string{"reason"}),
		moved:       desc("moved_total", "Small calls that turned out dear and were moved to the other lane.", none),
		takenBack:   desc("taken_back_total", "Calls whose seats were given to others, since they went on after their callers had left or their time was up.", none),
		overdue:     desc("overdue", "Calls that still go on so.", none),
		memory:      desc("memory_bytes", "Memory of calls under way and of answers that are being sent, as estimated.", none),
		memoryLimit: desc("memory_limit_bytes", "Memory that there may be of these (SVC_REQUEST_MEMORY).", none),
		mostMemory:  desc("memory_most_bytes", "Most memory that there was of these at any moment.", none),
	}
}

// Describe serves prometheus.Collector.
func (s *schedule) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{s.seats, s.taken, s.waiting, s.queued, s.calls, s.waited, s.refused, s.moved, s.takenBack, s.overdue, s.memory, s.memoryLimit, s.mostMemory} {
		to <- d
	}
}

// Collect serves prometheus.Collector.
func (s *schedule) Collect(to chan<- prometheus.Metric) {
	x := s.s.Stats()
	gauge := func(d *prometheus.Desc, v float64, label ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, label...)
	}
	count := func(d *prometheus.Desc, v float64, label ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, label...)
	}
	for _, l := range x.Classes {
		if l.Slots > 0 {
			gauge(s.seats, float64(l.Slots), l.Name)
		}
		gauge(s.taken, float64(l.Taken), l.Name)
		gauge(s.waiting, float64(l.Waiting), l.Name)
		gauge(s.queued, l.Queued.Seconds(), l.Name)
		count(s.calls, float64(l.Calls), l.Name)
		count(s.waited, l.Waited.Seconds(), l.Name)
	}
	for _, reason := range scheduled.Reasons() {
		count(s.refused, float64(x.Refused[reason]), string(reason))
	}
	count(s.moved, float64(x.Moved))
	count(s.takenBack, float64(x.TakenBack))
	gauge(s.overdue, float64(x.Overdue))
	gauge(s.memory, float64(x.Held))
	gauge(s.memoryLimit, float64(x.Memory))
	gauge(s.mostMemory, float64(x.MostHeld))
}
