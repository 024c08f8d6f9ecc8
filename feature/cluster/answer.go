package cluster

// Answer is stops divided into clusters.
type Answer struct {
	Clusters []Of    `json:"clusters"`
	Balance  Balance `json:"balance"`
	Basis    string  `json:"basis" doc:"what distances the clusters rest on"`
	Seed     uint64  `json:"seed"`
}

// Of is one cluster of an answer.
type Of struct {
	Cluster   int      `json:"cluster" doc:"number, from 1"`
	Territory *string  `json:"territory" doc:"that its stops lie in; null for those in none"`
	Locations []string `json:"locations" doc:"ids of its stops, in the order of the request"`
	Count     int      `json:"count"`
	Load      float64  `json:"load" decimals:"3" doc:"of its stops together"`
	Service   float64  `json:"service_s" decimals:"1" unit:"seconds" doc:"of its stops together"`
	Centroid  Spot     `json:"centroid" doc:"mean of its stops"`
	Radius    float64  `json:"radius_m" decimals:"1" unit:"metres" doc:"from there to the farthest of its stops, as the crow flies"`
}

// Spot is a place in degrees.
type Spot struct {
	Lat float64 `json:"lat" decimals:"6"`
	Lon float64 `json:"lon" decimals:"6"`
}

// Balance is how equal the clusters are, by what they were balanced by.
type Balance struct {
	By       string  `json:"by" enum:"count,load,service"`
	Smallest float64 `json:"smallest" decimals:"3"`
	Largest  float64 `json:"largest" decimals:"3"`
	Mean     float64 `json:"mean" decimals:"3"`
}
