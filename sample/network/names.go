package network

import (
	"math/rand/v2"

	"github.com/waygate/waygate/sample/land"
	"github.com/waygate/waygate/sample/plane"
)

// The words street names are made of: trees, trades, fields and weather, no
// person and no company.
var (
	trees = []string{
		"Alder", "Ash", "Aspen", "Beech", "Birch", "Blackthorn", "Bramble", "Broom", "Cedar", "Cherry", "Chestnut", "Clover", "Cowslip",
		"Damson", "Elder", "Elm", "Fern", "Foxglove", "Furze", "Gorse", "Harebell", "Hawthorn", "Hazel", "Heather", "Holly", "Honeysuckle", "Hornbeam",
		"Ivy", "Juniper", "Laburnum", "Larch", "Larkspur", "Lavender", "Lilac", "Lime", "Mallow", "Maple", "Marigold", "Medlar", "Mulberry", "Myrtle",
		"Oak", "Pear Tree", "Pine", "Poplar", "Primrose", "Quince", "Rosemary", "Rowan", "Sallow", "Samphire", "Sorrel", "Spindle", "Spruce",
		"Sycamore", "Tamarisk", "Tansy", "Teasel", "Thrift", "Thyme", "Violet", "Walnut", "Whitebeam", "Willow", "Woodruff", "Yarrow", "Yew Tree",
	}
	birds = []string{
		"Avocet", "Bittern", "Blackbird", "Chough", "Cormorant", "Curlew", "Dipper", "Dotterel", "Dunlin", "Fieldfare", "Firecrest",
		"Fulmar", "Gannet", "Goldcrest", "Goldfinch", "Goshawk", "Grebe", "Guillemot", "Heron", "Jackdaw", "Kestrel", "Kingfisher", "Kittiwake",
		"Lapwing", "Linnet", "Mallard", "Martin", "Merlin", "Nightjar", "Osprey", "Oystercatcher", "Partridge", "Petrel", "Pipit", "Plover", "Puffin",
		"Razorbill", "Redshank", "Redwing", "Sanderling", "Sandpiper", "Shearwater", "Siskin", "Skylark", "Snipe", "Stonechat", "Swallow", "Swift",
		"Teal", "Tern", "Turnstone", "Wagtail", "Wheatear", "Whimbrel", "Wren", "Yellowhammer",
	}
	trades = []string{
		"Anchor", "Baker", "Barrel", "Basket", "Bell", "Brewery", "Butter", "Candle", "Capstan", "Carter", "Chandler", "Chapel", "Copper",
		"Corn", "Cross", "Custom House", "Drover", "Exchange", "Fish", "Fore", "Forge", "Foundry", "Friars", "Gaol", "Glebe", "Guildhall", "Hide", "Hop",
		"Key", "Lantern", "Lime Kiln", "Lugger", "Malt", "Market", "Mason", "Milk", "Mill", "Needle", "Net Loft", "Orchard", "Packet", "Pan", "Pepper",
		"Pilchard", "Pound", "Quay", "Rope", "Saddler", "Sail", "Salt", "Sheep", "Ship", "Silver", "Smithy", "Spinner", "Tanner", "Thatcher", "Tin",
		"Tithe", "Tolsey", "Turner", "Wainwright", "Weaver", "Well", "Wheel", "Wool", "Wrestler",
	}
	Fields = []string{
		"Barton", "Bracken", "Brook", "Burrow", "Causeway", "Church", "Cliff", "Combe", "Cuckoo", "Dark", "Deep", "Down", "Drang", "Farthing",
		"Fallow", "Ferry", "Five Acre", "Fiddler's", "Frog", "Gallows", "Goosey", "Green", "Hangman's", "Hare", "Harrow", "Haymoor", "High Bank",
		"Hollow", "Hunger", "Kiln", "Lambing", "Leat", "Long", "Longstone", "Lych", "Magpie", "Marsh", "Meadow", "Merry", "Moor", "Mutton", "Nettle",
		"Old Coach", "Owl", "Packhorse", "Paradise", "Pinfold", "Pigeon", "Plough", "Pool", "Quarry", "Raddle", "Rectory", "Ridge", "Rushy", "Sandy",
		"Shepherd's", "Shute", "Sluice", "Smoky", "South", "Spring", "Starvecrow", "Stony", "Tinker's", "Twitchen", "Vicarage", "Wash", "Watery",
		"West", "Whistling", "Wild Goose", "Windmill", "Withy", "Wood", "Wreckers'",
	}
	grand = []string{
		"Albion", "Belvedere", "Britannia", "Cliffside", "Coronation", "Crown", "Empire", "Jubilee", "Lansdown", "Marine", "Montpelier",
		"Mount Pleasant", "Neptune", "North", "Paragon", "Park", "Prospect", "Regent", "Royal", "South", "Bellwether", "Lookout", "Station", "Sunnyside",
		"Trafalgar", "Union", "Victory", "Westgate", "Zion", "Providence", "Hope", "Concord", "Unity", "Temperance", "Fortune", "Harbour", "Bellevue", "Cambria", "Alma",
	}
	industry = []string{"Beacon", "Compass", "Dock", "Enterprise", "Harrier", "Kelp", "Lodestar", "Meridian", "Millwright", "Phoenix", "Quadrant", "Sextant", "Tideway", "Trident", "Venture", "Wharf"}
)

// Namer gives names that are not used twice in one settlement.
type Namer struct {
	Rnd  *rand.Rand
	Used map[string]bool
}

// Street returns a new name for a street of a place.
func (n *Namer) Street(place string, z land.Zone, r *Road, crescent bool) string {
	for {
		var first []string
		var last []string
		switch {
		case crescent:
			first, last = plane.Pick(n.Rnd, [][]string{trees, birds, grand}), []string{"Crescent", "Crescent", "Gardens"}
		case r.Bulb && z == land.Estate:
			first, last = plane.Pick(n.Rnd, [][]string{trees, birds}), []string{"Close", "Close", "Court", "Place", "Gardens", "Mead", "Grove"}
		case r.Bulb:
			first, last = plane.Pick(n.Rnd, [][]string{Fields, trees}), []string{"Close", "Court", "Meadow", "Orchard", "Yard"}
		case z == land.Core:
			first, last = trades, []string{"Street", "Street", "Lane", "Row", "Hill", "Gate", "Passage"}
		case z == land.Terrace:
			first, last = plane.Pick(n.Rnd, [][]string{grand, trades, trees}), []string{"Street", "Street", "Road", "Terrace", "Villas", "Avenue"}
		case z == land.Works:
			first, last = industry, []string{"Way", "Road", "Park", "Drive"}
		case z == land.Village:
			first, last = plane.Pick(n.Rnd, [][]string{Fields, Fields, trades}), []string{"Lane", "Lane", "Road", "Hill", "Street", "Row"}
		case z == land.Country:
			first, last = Fields, []string{"Lane", "Lane", "Lane", "Hill", "Road"}
		default:
			first, last = plane.Pick(n.Rnd, [][]string{trees, birds, Fields}), []string{"Road", "Drive", "Avenue", "Way", "Rise", "Walk", "View"}
		}
		name := plane.Pick(n.Rnd, first) + " " + plane.Pick(n.Rnd, last)
		if key := place + "/" + name; !n.Used[key] {
			n.Used[key] = true
			return name
		}
	}
}
