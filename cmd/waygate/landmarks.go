package main

import (
	"github.com/waygate/waygate/feature/landmarks"
	"github.com/waygate/waygate/index/landmark"
	"github.com/waygate/waygate/region"
)

// openLandmarks opens a region's landmarks.
func openLandmarks(r *region.Region) (*landmarks.Service, error) {
	index, err := landmark.Open(r)
	return &landmarks.Service{Index: index}, err
}
