package sample

import (
	"math/rand/v2"
	"strconv"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/sample/land"
	"github.com/waygate/waygate/sample/network"
	"github.com/waygate/waygate/sample/plane"
)

// trade is a kind of place that takes a house by the street.
type trade struct {
	key, value string
	names      []string
	hours      []string
	more       []string
	town       int // how many a town has
	village    int // one in how many villages has it; 0 none
}

func tradeList() []trade {
	day := []string{"Mo-Sa 09:00-17:30", "Mo-Fr 09:00-17:30; Sa 09:00-17:00; Su off", "Tu-Sa 09:30-17:00", "Mo-Sa 08:30-17:30; PH off"}
	food := []string{"Mo-Su 08:00-17:00", "Mo-Sa 08:30-16:30; Su 10:00-16:00", "We-Su 09:00-16:00", "Apr-Sep: Mo-Su 09:00-18:00; Oct-Mar: Th-Su 10:00-16:00"}
	pub := []string{"Mo-Th 12:00-23:00; Fr,Sa 12:00-24:00; Su 12:00-22:30", "Mo-Sa 11:00-23:00; Su 12:00-22:30", "Mo-Fr 16:00-23:00; Sa-Su 12:00-01:00", "Mo-Su,PH 11:30-15:00,18:00-23:00"}
	return []trade{
		{"amenity", "pub", []string{"The Mermaid's Purse", "The Three Curlews", "The Drowned Bell", "The Tinners' Rest", "The Ship Aground", "The Golden Fleece", "The Lugger", "The Plough and Gull", "The Packhorse", "The Wreckers' Lantern", "The Sloop", "The Blue Anchor", "The Ring of Bells", "The Wheatsheaf", "The Pilchard Press", "The Old Customs House"}, pub, []string{"real_ale", "yes", "outdoor_seating", "yes", "food", "yes"}, 7, 1},
		{"amenity", "cafe", []string{"The Saffron Bun", "Kettle & Crumb", "Tide Table", "The Copper Pot", "Crib Tin", "Sea Thrift", "The Bakehouse Steps", "Second Cup"}, food, []string{"cuisine", "coffee_shop", "internet_access", "wlan"}, 6, 3},
		{"amenity", "restaurant", []string{"The Net Store", "Samphire", "Lobster Creel", "The Olive Press", "Cardamom House", "Ten Lanterns"}, []string{"We-Sa 12:00-14:30,18:00-22:00; Su 12:00-15:00", "Tu-Su 17:30-22:30"}, []string{"cuisine", "seafood"}, 5, 6},
		{"amenity", "fast_food", []string{"The Codfather's Locker", "Harbour Fry", "Batter Days"}, []string{"Mo-Sa 11:30-14:00,16:30-21:00", "Tu-Sa 11:30-21:00; Su 16:00-20:00"}, []string{"cuisine", "fish_and_chips"}, 3, 5},
		{"shop", "bakery", []string{"Hearthstone", "Morning Batch", "Barley & Rye", "The Pasty Hearth"}, []string{"Mo-Sa 07:00-15:00", "Mo-Fr 06:30-16:00; Sa 06:30-13:00"}, nil, 4, 4},
		{"shop", "butcher", []string{"Block & Cleaver", "Stannerford Meats", "The Honest Joint"}, day, nil, 2, 6},
		{"shop", "greengrocer", []string{"Peck & Bushel", "The Apple Loft"}, day, nil, 2, 0},
		{"shop", "convenience", []string{"Corner Stores", "Daybreak Stores", "Island Stores", "Village Stores"}, []string{"Mo-Su 07:00-22:00", "Mo-Sa 08:00-18:00; Su 09:00-12:00"}, []string{"brand", "Daybreak"}, 5, 1},
		{"shop", "books", []string{"Foxed Pages", "The Spine"}, day, nil, 2, 0},
		{"shop", "clothes", []string{"Smock & Gansey", "Lyric", "Oilskin", "Thimble"}, day, nil, 4, 0},
		{"shop", "hardware", []string{"Nuts Bolts & Kettles", "Chandlery & Ironmongery"}, day, nil, 2, 9},
		{"shop", "hairdresser", []string{"Shear Delight", "The Parting Shot", "Curl Up"}, []string{"Tu-Fr 09:00-17:30; Sa 08:30-16:00"}, nil, 4, 7},
		{"shop", "bicycle", []string{"Spoke & Word"}, day, []string{"service:bicycle:repair", "yes"}, 1, 0},
		{"amenity", "pharmacy", []string{"Mortar Pharmacy", "Anchor Chemist", "Sprill Pharmacy"}, []string{"Mo-Fr 09:00-18:00; Sa 09:00-13:00", "Mo-Sa 08:30-19:00; Su 10:00-12:00"}, []string{"dispensing", "yes"}, 3, 8},
		{"amenity", "doctors", []string{"Quayside Surgery", "Bridge Street Practice", "Harbour Medical Centre"}, []string{"Mo-Fr 08:00-18:30; PH off"}, []string{"healthcare", "doctor"}, 2, 9},
		{"amenity", "dentist", []string{"The Molar Rooms", "Whitecliff Dental"}, []string{"Mo-Th 08:30-17:00; Fr 08:30-13:00"}, nil, 2, 0},
		{"amenity", "bank", []string{"Bank of Halvern", "Tarrow Building Society"}, []string{"Mo-Fr 09:30-16:30; Sa 09:30-12:30"}, []string{"atm", "yes", "brand", "Bank of Halvern"}, 2, 0},
		{"amenity", "post_office", []string{"Post Office"}, []string{"Mo-Fr 09:00-17:30; Sa 09:00-12:30"}, nil, 1, 2},
		{"amenity", "library", []string{"Public Library"}, []string{"Mo,Tu,Th 09:30-17:30; Fr 09:30-19:00; Sa 10:00-14:00"}, nil, 1, 0},
		{"amenity", "townhall", []string{"Guildhall"}, []string{"Mo-Fr 09:00-17:00"}, nil, 1, 0},
		{"amenity", "police", []string{"Police Station"}, []string{"Mo-Su 08:00-20:00"}, nil, 1, 0},
		{"amenity", "place_of_worship", []string{"Holy Trinity", "Bethel Chapel", "All Hallows"}, []string{"Mo-Su 09:00-dusk"}, []string{"religion", "christian"}, 2, 1},
		{"tourism", "hotel", []string{"The Admiral's Rest Hotel", "The Grand Parade Hotel", "Harbour Lights Hotel"}, []string{"24/7"}, []string{"stars", "3", "rooms", "42"}, 2, 0},
		{"tourism", "guest_house", []string{"Seaview Guest House", "The Old Rectory", "Gull Cottage"}, []string{"24/7"}, nil, 2, 2},
	}
}

// shops fills houses on the busy streets with trades.
func (b siteDrawer) shops() {
	rnd := plane.Dice("shops")
	phone := 300
	for i := range b.towns {
		t := &b.towns[i]
		var fronts []*building
		for _, h := range b.houses {
			if h.place == t && (h.zone == land.Core || h.main || h.zone == land.Village && h.door.Dist(t.Centre) < 200) {
				fronts = append(fronts, h)
			}
		}
		rnd.Shuffle(len(fronts), func(i, j int) { fronts[i], fronts[j] = fronts[j], fronts[i] })
		next := 0
		for k, tr := range tradeList() {
			n := tr.town
			if t.Kind != "town" {
				n = 0
				if tr.village > 0 && (i+k)%tr.village == 0 && t.Kind == "village" {
					n = 1
				}
			} else if i > 0 {
				n = (n + 1) / 2
			}
			for j := 0; j < n && next < len(fronts); next++ {
				h := fronts[next]
				if h.used {
					continue
				}
				h.used = true
				phone = 300 + (phone-299)%700
				b.open(h, tr, i*5+j, rnd, phone)
				j++
			}
		}
	}
}

// open puts a business into a house: its tags join the building's.
func (b siteDrawer) open(h *building, tr trade, nth int, rnd *rand.Rand, phone int) {
	name := tr.names[nth%len(tr.names)]
	if tr.value == "post_office" || tr.value == "library" || tr.value == "townhall" || tr.value == "police" || tr.value == "convenience" && h.zone == land.Village {
		name = h.place.Name + " " + name
	}
	h.tags = append(h.tags, osm.Tag{Key: tr.key, Value: tr.value}, osm.Tag{Key: "name", Value: name},
		osm.Tag{Key: "opening_hours", Value: plane.Pick(rnd, tr.hours)})
	for i := 0; i+1 < len(tr.more); i += 2 {
		h.tags = network.With(h.tags, tr.more[i], tr.more[i+1])
	}
	h.tags = append(h.tags, osm.Tag{Key: "phone", Value: "+44 1632 960" + strconv.Itoa(phone)},
		osm.Tag{Key: "wheelchair", Value: []string{"yes", "no", "limited"}[nth%3]})
	if rnd.IntN(2) == 0 {
		h.tags = append(h.tags, osm.Tag{Key: "website", Value: "https://www.example.org/" + tr.value + "/" + strconv.Itoa(phone)})
	}
}
