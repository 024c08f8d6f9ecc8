package main

import "fmt"

type sampleCommand struct {
	Out string `required:"" help:"Folder to write the sources into; made where it is missing." type:"path" placeholder:"DIR"`
}

// Run writes the sample county.
func (c *sampleCommand) Run() error {
	file, err := writeSample(c.Out)
	if err != nil {
		return fmt.Errorf("write the sample county: %w", err)
	}
	_, err = fmt.Println(file)
	return err
}
