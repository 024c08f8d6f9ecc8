package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/waygate/waygate/feature/optimise"
	"github.com/waygate/waygate/fleet/vroom"
)

// planSettings are the settings of plans and jobs.
type planSettings struct {
	Optimiser  string        `env:"SVC_OPTIMISER" default:"embedded" enum:"embedded,vroom,none" help:"Solver for fleets: embedded is built in, vroom uses the server at SVC_VROOM_URL (${enum})."`
	VroomURL   string        `name:"vroom-url" env:"SVC_VROOM_URL" help:"Address of a VROOM server over HTTP, such as vroom-express, for SVC_OPTIMISER=vroom." secret:"url" placeholder:"URL"`
	JobWorkers int           `env:"SVC_JOB_WORKERS" default:"0" help:"Concurrent jobs in this process: 0 is one fewer than cores, -1 is none."`
	JobKeep    time.Duration `env:"SVC_JOB_KEEP" default:"168h" help:"How long a finished job and its result are kept."`
	JobStorage int           `env:"SVC_JOB_STORAGE" default:"512" help:"Most MiB of compressed requests and results in the database for the jobs of one key, 64 to 1048576. Beyond it new jobs are refused until old ones are deleted or expire."`
	JobLease   time.Duration `env:"SVC_JOB_LEASE" default:"30s" help:"How long a worker may be silent before another worker starts its job again."`
}

// maxJobStorage is in MiB: a tebibyte.
const maxJobStorage = 1 << 20

// solver returns the solver of plans; nil makes none.
func (s *planSettings) solver() optimise.Solver {
	switch s.Optimiser {
	case "none":
		return nil
	case "vroom":
		return vroom.New(s.VroomURL, nil)
	}
	return optimise.Embedded{}
}

func (s *planSettings) validate() error {
	switch {
	case s.Optimiser == "vroom" && s.VroomURL == "":
		return errors.New("SVC_OPTIMISER is vroom but SVC_VROOM_URL is empty")
	case s.JobWorkers < -1 || s.JobWorkers > 64:
		return fmt.Errorf("SVC_JOB_WORKERS is %d; it must be -1 to 64", s.JobWorkers)
	case s.JobStorage != 0 && (s.JobStorage < 64 || s.JobStorage > maxJobStorage):
		return fmt.Errorf("SVC_JOB_STORAGE is %d MiB; it must be 64 (the largest result) to %d", s.JobStorage, maxJobStorage)
	case s.JobLease != 0 && (s.JobLease < time.Second || s.JobLease > time.Hour):
		return fmt.Errorf("SVC_JOB_LEASE is %s; it must be 1s to 1h", s.JobLease)
	case s.JobKeep != 0 && s.JobKeep < time.Minute:
		return fmt.Errorf("SVC_JOB_KEEP is %s; it must be at least 1m", s.JobKeep)
	}
	return nil
}
