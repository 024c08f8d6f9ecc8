package main

import (
	"fmt"
	"io"

	"github.com/waygate/waygate/cmd/waygate/files"
	"github.com/waygate/waygate/world"
)

type trafficCommand struct {
	Learn trafficLearnCommand `cmd:"" help:"Make a table of usual speeds (SVC_TRAFFIC_PROFILE) from the live traffic that a server recorded (SVC_TRAFFIC_HISTORY)."`
}

type trafficLearnCommand struct {
	History string `arg:"" type:"existingdir" help:"Folder of one region inside SVC_TRAFFIC_HISTORY." placeholder:"DIR"`
	Out     string `required:"" type:"path" help:"File to write." placeholder:"FILE"`
	Least   int    `default:"2" help:"Number of weeks in which the speed of an hour must have been recorded."`
}

// Run computes the table.
func (c *trafficLearnCommand) Run() error {
	if c.Least < 1 {
		return fmt.Errorf("--least is %d; it must be at least 1", c.Least)
	}
	var learned world.Learned
	err := files.Replace(c.Out, func(w io.Writer) (err error) {
		learned, err = world.Learn(c.History, c.Least, w)
		return err
	})
	if err != nil {
		return err
	}
	_, err = fmt.Printf("%d usual speeds of %d hours in %s\n", learned.Speeds, learned.Files, c.Out)
	if learned.Speeds == 0 && err == nil {
		err = fmt.Errorf("no speed was recorded in %d weeks; use --least=1 to accept one week", c.Least)
	}
	return err
}
