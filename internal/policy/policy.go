// Package policy says what agents may do in a profile. A Policy is what the person has decided, Rules apply it to
// addresses, and an Enforcer holds the agents of one open profile to it. The package knows no browser and no wire.
package policy

import (
	"maps"
	"slices"
	"strings"

	"cove/internal/fault"
	"cove/internal/policy/site"
)

// Policy is what the person has decided for one profile. The zero value is Open.
type Policy struct {
	Preset Preset `json:"preset"`
	Sites  Sites  `json:"sites"`
	// Rights holds what differs from the preset.
	Rights map[Class]Answer `json:"rights,omitempty"`
	// Always are the sites on which agents need not ask for some rights.
	Always []Always `json:"always,omitempty"`
	// OneDriver lets one agent act at a time.
	OneDriver bool `json:"one_driver,omitempty"`
	// SharedTabs lets every agent act in every tab, whosever it is.
	SharedTabs bool `json:"shared_tabs,omitempty"`
	// NoScreenshots stores no screenshots in the journal.
	NoScreenshots bool `json:"no_pictures,omitempty"`
	// Answerers are the MCP clients, by the name that they give themselves, whose person may answer in the client.
	Answerers []string `json:"answerers,omitempty"`
}

// Preset is a policy that a person understands at a glance.
type Preset string

const (
	// Open binds the tools only: programs that speak the protocol themselves work as with Chrome.
	Open Preset = "open"
	// Guarded binds every program, and asks a person for what cannot be undone.
	Guarded Preset = "guarded"
	// ReadOnly lets agents look and nothing else.
	ReadOnly Preset = "read-only"
	// Off keeps agents out.
	Off Preset = "off"
)

// Presets lists all presets, from the loosest to the tightest.
var Presets = []Preset{Open, Guarded, ReadOnly, Off}

// Class is a kind of step that a policy decides about.
type Class string

// The classes of steps.
const (
	Act       Class = "act"       // click, type, navigate: change anything at all
	OtherSite Class = "leave"     // go to a site that is not on the list
	Submit    Class = "submit"    // send a form with a password or a payment field
	Upload    Class = "upload"    // give a page a file of this computer
	Download  Class = "download"  // let a page put a file onto this computer
	Script    Class = "script"    // run a script of the agent's own in a page
	Storage   Class = "storage"   // read cookies and what pages have stored
	Clipboard Class = "clipboard" // read and change what the person has copied
	Tab       Class = "tab"       // take a tab from another agent that works in it
	Local     Class = "local"     // open file:, chrome: and devtools: pages
	PageTool  Class = "page_tool" // call a tool that a page offers
)

// Classes lists all classes in the order in which they are shown.
var Classes = []Class{Act, OtherSite, Submit, Upload, Download, Script, Storage, Clipboard, Tab, Local, PageTool}

// Says describes each class for people, as the end of "agents may …".
var Says = map[Class]string{
	Act:       "click, type and navigate",
	OtherSite: "go to a site that is not on the list",
	Submit:    "send forms with a password or a payment field",
	Upload:    "give pages files of this computer",
	Download:  "download files",
	Script:    "run scripts in pages",
	Storage:   "read cookies and stored data",
	Clipboard: "paste, copy and cut through this computer's clipboard",
	Tab:       "take tabs from other agents",
	Local:     "open file:, chrome: and devtools: pages",
	PageTool:  "call tools that pages offer",
}

// Answer is what a policy says to a class.
type Answer string

// The answers of a policy.
const (
	Yes Answer = "yes"
	Ask Answer = "ask" // a person decides each time
	No  Answer = "no"
)

var answers = []Answer{Yes, Ask, No}

// presets says what each preset means. A script can read cookies and password fields, so what promises to hide them
// forbids it.
var presets = map[Preset]map[Class]Answer{
	Open: {
		Act:       Yes,
		OtherSite: No,
		Submit:    Yes,
		Upload:    Yes,
		Download:  Yes,
		Script:    Yes,
		Storage:   Yes,
		Clipboard: Yes,
		Tab:       Yes,
		Local:     No,
		PageTool:  Yes,
	},
	Guarded: {
		Act:       Yes,
		OtherSite: No,
		Submit:    Ask,
		Upload:    Ask,
		Download:  Ask,
		Script:    No,
		Storage:   No,
		Clipboard: Ask,
		Tab:       Ask,
		Local:     No,
		PageTool:  Ask,
	},
	ReadOnly: {
		Act:       No,
		OtherSite: No,
		Submit:    No,
		Upload:    No,
		Download:  No,
		Script:    No,
		Storage:   No,
		Clipboard: No,
		Tab:       No,
		Local:     No,
		PageTool:  No,
	},
	Off: {
		Act:       No,
		OtherSite: No,
		Submit:    No,
		Upload:    No,
		Download:  No,
		Script:    No,
		Storage:   No,
		Clipboard: No,
		Tab:       No,
		Local:     No,
		PageTool:  No,
	},
}

// Right returns what the policy says to a class.
func (p Policy) Right(c Class) Answer {
	if a, ok := p.Rights[c]; ok {
		return a
	}
	return presets[p.preset()][c]
}

func (p Policy) preset() Preset {
	if p.Preset == "" {
		return Open
	}
	return p.Preset
}

// Agents reports whether agents may connect at all.
func (p Policy) Agents() bool { return p.preset() != Off }

// BindsPrograms reports whether the rules hold for programs that speak the protocol themselves, too.
func (p Policy) BindsPrograms() bool { return p.preset() != Open }

// Binds reports whether the policy differs from that of a new profile.
func (p Policy) Binds() bool {
	return p.BindsPrograms() || len(p.Rights)+len(p.Sites.Allow)+len(p.Sites.Block) > 0
}

// Limits of one policy.
const (
	maxSites     = 1000
	maxAnswerers = 20
)

// Clean puts p into its canonical form, or returns in one sentence what is wrong with it.
func (p *Policy) Clean() error {
	p.Preset = p.preset()
	if !slices.Contains(Presets, p.Preset) {
		return fault.Fieldf("preset", "There is no preset %q.", p.Preset).
			WithHint(fault.Suggest(string(p.Preset), Presets...) + "Choose open, guarded, read-only or off.")
	}
	for c, a := range p.Rights {
		if !slices.Contains(Classes, c) {
			return fault.Fieldf("rights."+string(c), "There is no right %q.", c).
				WithHint(fault.Suggest(string(c), Classes...) +
					"The rights are act, leave, submit, upload, download, script, " +
					"storage, clipboard, tab, local and page_tool.")
		}
		if !slices.Contains(answers, a) {
			return fault.Fieldf("rights."+string(c), "The right %q cannot be %q.", c,
				a).WithHint("Choose yes, ask or no.")
		}
	}
	for name, list := range map[string]*[]string{"allowed": &p.Sites.Allow, "blocked": &p.Sites.Block} {
		field := "sites." + strings.TrimSuffix(name, "ed")
		if len(*list) > maxSites {
			return fault.Fieldf(field, "The list of %s sites holds at most %d.", name, maxSites)
		}
		var clean []string
		for _, s := range *list {
			rule, err := site.Parse(s)
			if err != nil {
				f := fault.From(err)
				return fault.Fieldf(field, "In the list of %s sites: %s", name, f.Text).WithHint(f.Hint)
			}
			if !slices.Contains(clean, rule.String()) {
				clean = append(clean, rule.String())
			}
		}
		*list = clean
	}
	if err := p.cleanAlways(); err != nil {
		return err
	}
	if len(p.Answerers) > maxAnswerers {
		return fault.Fieldf("answerers", "At most %d clients can request approval in their own UI.", maxAnswerers)
	}
	p.Answerers = slices.Clone(p.Answerers)
	for i, name := range p.Answerers {
		if name = strings.TrimSpace(name); name == "" || len(name) > 100 {
			return fault.Fieldf("answerers", "The name of a client must have 1 to 100 characters.")
		}
		p.Answerers[i] = name
	}
	p.Rights = maps.Clone(p.Rights) // the caller's may be another policy's too
	maps.DeleteFunc(p.Rights, func(c Class, a Answer) bool { return presets[p.Preset][c] == a })
	if len(p.Rights) == 0 {
		p.Rights = nil
	}
	return nil
}

// strictness orders the answers: a higher value is tighter.
var strictness = map[Answer]int{Yes: 0, Ask: 1, No: 2}

// Loosens reports whether p allows anything that old did not: then the owner must confirm it.
func (p Policy) Loosens(old Policy) bool {
	if slices.Index(Presets, p.preset()) < slices.Index(Presets, old.preset()) || (old.OneDriver && !p.OneDriver) ||
		(!old.SharedTabs && p.SharedTabs) || (!old.NoScreenshots && p.NoScreenshots) {
		return true
	}
	for _, c := range Classes {
		if strictness[p.Right(c)] < strictness[old.Right(c)] {
			return true
		}
	}
	added := func(now, before []string) bool {
		return slices.ContainsFunc(now, func(s string) bool { return !slices.Contains(before, s) })
	}
	// An empty allow list allows everything.
	allows := len(old.Sites.Allow) > 0 && (len(p.Sites.Allow) == 0 || added(p.Sites.Allow, old.Sites.Allow))
	return allows || added(old.Sites.Block, p.Sites.Block) || added(p.Answerers, old.Answerers) ||
		!sameAlways(p.Always, old.Always)
}

// same reports whether two policies are written the same.
func (p Policy) same(other Policy) bool {
	return p.preset() == other.preset() && p.OneDriver == other.OneDriver && p.SharedTabs == other.SharedTabs &&
		p.NoScreenshots == other.NoScreenshots && maps.Equal(p.Rights, other.Rights) &&
		slices.Equal(p.Answerers, other.Answerers) &&
		sameAlways(p.Always, other.Always) && sameAlways(other.Always, p.Always) &&
		slices.Equal(p.Sites.Allow, other.Sites.Allow) &&
		slices.Equal(p.Sites.Block, other.Sites.Block)
}

// narrows reports whether p takes a right away from programs that old gave them.
func (p Policy) narrows(old Policy) bool {
	if !p.BindsPrograms() {
		return false
	}
	return !old.BindsPrograms() || p.tighter(old)
}

// tighter reports whether p is stricter than old for any class.
func (p Policy) tighter(old Policy) bool {
	return slices.ContainsFunc(Classes, func(c Class) bool { return strictness[p.Right(c)] > strictness[old.Right(c)] })
}

// Sites is where agents may go: everywhere that is allowed (an empty list allows all) and not blocked.
type Sites struct {
	Allow []string `json:"allow,omitempty"`
	Block []string `json:"block,omitempty"`
}
