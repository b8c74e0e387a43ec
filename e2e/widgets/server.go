package widgets

// Call is one call of a tool.
type Call struct {
	Tool      string
	Arguments map[string]any
}

type object = map[string]any

// Server is how one MCP server wants to be asked, and how its snapshots read. It maps names and parameters, nothing
// else.
type Server struct {
	Name   string
	Open   func(url string) Call
	Look   func(known *Tree) Call // where a server tells what changed since a snapshot, known is that one
	Click  func(n *Node, double bool) Call
	Hover  func(n *Node) Call
	Fill   func(n *Node, value string) Call
	Key    func(key string, see bool) Call
	Type   func(n *Node, text string) Call // where the focus is, which n has
	Drag   func(from, to *Node) Call
	Upload func(n *Node, path string) []Call
	Eval   func(function string) Call // the test asks the page with it, the agent never does
	Read   func(answer string, known *Tree) *Tree
}

// Cove and DevTools have their tools in common.
func Cove() Server { return devTools("Cove", object{}) }

// DevTools is the upstream server, chrome-devtools-mcp.
func DevTools() Server { return devTools("chrome-devtools-mcp", object{"pageId": 1}) }

func devTools(name string, page object) Server {
	with := func(tool string, arguments object) Call {
		for k, v := range page {
			arguments[k] = v
		}
		return Call{tool, arguments}
	}
	see := func(arguments object) object { arguments["includeSnapshot"] = true; return arguments }
	return Server{
		Name: name,
		Open: func(url string) Call { return with("navigate_page", object{"type": "url", "url": url}) },
		Look: func(known *Tree) Call {
			if known != nil && known.Number > 0 {
				return with("take_snapshot", object{"since": known.Number})
			}
			return with("take_snapshot", object{})
		},
		Click: func(n *Node, double bool) Call {
			arguments := see(object{"uid": n.Ref})
			if double {
				arguments["dblClick"] = true
			}
			return with("click", arguments)
		},
		Hover: func(n *Node) Call { return with("hover", see(object{"uid": n.Ref})) },
		Fill:  func(n *Node, value string) Call { return with("fill", see(object{"uid": n.Ref, "value": value})) },
		Key: func(key string, look bool) Call {
			if look {
				return with("press_key", see(object{"key": key}))
			}
			return with("press_key", object{"key": key})
		},
		Type: func(_ *Node, text string) Call { return with("type_text", object{"text": text}) },
		Drag: func(from, to *Node) Call {
			return with("drag", see(object{"from_uid": from.Ref, "to_uid": to.Ref}))
		},
		Upload: func(n *Node, path string) []Call {
			return []Call{with("upload_file", see(object{"uid": n.Ref, "filePaths": []string{path}}))}
		},
		Eval: func(function string) Call { return with("evaluate_script", object{"function": function}) },
		Read: readDevTools,
	}
}

// Playwright answers actions with the name of a file; what the page shows is another call.
func Playwright() Server {
	return Server{
		Name: "@playwright/mcp",
		Open: func(url string) Call { return Call{"browser_navigate", object{"url": url}} },
		Look: func(*Tree) Call { return Call{"browser_snapshot", object{}} },
		Click: func(n *Node, double bool) Call {
			arguments := object{"target": n.Ref}
			if double {
				arguments["doubleClick"] = true
			}
			return Call{"browser_click", arguments}
		},
		Hover: func(n *Node) Call { return Call{"browser_hover", object{"target": n.Ref}} },
		Fill: func(n *Node, value string) Call {
			for _, k := range n.Kids {
				if n.is("combobox", "listbox") && k.is("option") {
					return Call{"browser_select_option", object{"target": n.Ref, "values": []string{value}}}
				}
			}
			if n.is("slider", "checkbox", "radio", "switch") {
				field := object{"target": n.Ref, "name": n.Name, "type": n.Role, "value": value}
				return Call{"browser_fill_form", object{"fields": []object{field}}}
			}
			return Call{"browser_type", object{"target": n.Ref, "text": value}}
		},
		Key: func(key string, _ bool) Call { return Call{"browser_press_key", object{"key": key}} },
		Type: func(n *Node, text string) Call {
			return Call{"browser_type", object{"target": n.Ref, "text": text, "slowly": true}}
		},
		Drag: func(from, to *Node) Call {
			return Call{"browser_drag", object{"startElement": from.Name, "startTarget": from.Ref,
				"endElement": to.Name, "endTarget": to.Ref}}
		},
		Upload: func(n *Node, path string) []Call {
			return []Call{{"browser_click", object{"target": n.Ref}},
				{"browser_file_upload", object{"paths": []string{path}}}}
		},
		Eval: func(function string) Call { return Call{"browser_evaluate", object{"function": function}} },
		Read: readPlaywright,
	}
}
