package widgets

// Task is a goal on a page, and what the page's own record must say afterwards.
type Task struct {
	Page    string
	Library string
	Goals   []Goal
	Check   string // JavaScript about the page's record
}

// Upload stands for the path of the file to upload.
const Upload = "FILE"

// Tasks is the farm.
var Tasks = []Task{
	{"react-select", "react-select", []Goal{{Kind: "choose", Label: "Fruit", Value: "Banana"}}, `value === 'Banana' && times === 1`},
	{"react-select-multi", "react-select", []Goal{{Kind: "choose", Label: "Toppings", Values: []string{"Olives", "Ham"}}}, `value === 'Olives,Ham' && times === 2`},
	{"mui-select", "MUI", []Goal{{Kind: "choose", Label: "Age group", Value: "31 to 50"}}, `value === '31 to 50' && times === 1`},
	{"antd-select", "Ant Design", []Goal{{Kind: "choose", Label: "Country", Value: "Slovenia"}}, `value === 'Slovenia' && times === 1`},
	{"radix-select", "Radix", []Goal{{Kind: "choose", Label: "Time zone", Value: "Denver"}}, `value === 'Denver' && times === 1`},
	{"headless-listbox", "Headless UI", []Goal{{Kind: "choose", Label: "Assignee", Value: "Therese Wunsch"}}, `value === 'Therese Wunsch' && times === 1`},
	{"select2", "Select2", []Goal{{Kind: "choose", Label: "Country", Value: "Norway"}}, `value === 'Norway' && times === 1`},
	{"tom-select", "Tom Select", []Goal{{Kind: "choose", Label: "Tags", Values: []string{"Docs", "Urgent"}}}, `value === 'Docs,Urgent' && times === 2`},
	{"choices", "Choices.js", []Goal{{Kind: "choose", Label: "City", Value: "Lima"}}, `value === 'Lima' && times === 1`},
	{"shoelace-select", "Shoelace", []Goal{{Kind: "choose", Label: "Size", Value: "Extra large"}}, `value === 'Extra-large' && times === 1`},
	{"material-select", "Material Web", []Goal{{Kind: "choose", Label: "Delivery", Value: "Post"}}, `value === 'Post' && times === 1`},
	{"mui-autocomplete", "MUI", []Goal{{Kind: "choose", Label: "Destination", Value: "Portugal"}}, `value === 'Portugal' && times === 1`},
	{"downshift", "Downshift", []Goal{{Kind: "choose", Label: "Favourite fruit", Value: "Mango"}}, `value === 'Mango' && times === 1`},
	{"headless-combobox", "Headless UI", []Goal{{Kind: "choose", Label: "Reviewer", Value: "Tanya Fox"}}, `value === 'Tanya Fox' && times === 1`},
	{"jquery-autocomplete", "jQuery UI", []Goal{{Kind: "choose", Label: "Language", Value: "Haskell"}}, `value === 'Haskell'`},
	{"aria-combobox", "React Aria", []Goal{{Kind: "choose", Label: "Animal", Value: "Panda"}}, `value === 'Panda' && times === 1`},
	{"flatpickr", "flatpickr", []Goal{{Kind: "date", Label: "Departure", Value: "2031-03-17"}}, `value === '2031-03-17'`},
	{"react-datepicker", "react-datepicker", []Goal{{Kind: "date", Label: "Arrival", Value: "2031-03-17"}}, `value === '2031-03-17'`},
	{"mui-datepicker", "MUI X", []Goal{{Kind: "date", Label: "Check-in", Value: "2031-03-17"}}, `value === '2031-03-17'`},
	{"jquery-datepicker", "jQuery UI", []Goal{{Kind: "date", Label: "Birthday", Value: "2031-03-17"}}, `value === '2031-03-17' && times === 1`},
	{"antd-datepicker", "Ant Design", []Goal{{Kind: "date", Label: "Due date", Value: "2031-03-17"}}, `value === '2031-03-17' && times === 1`},
	{"day-picker", "React DayPicker", []Goal{{Kind: "date", Label: "Appointment", Value: "2031-03-17"}}, `value === '2031-03-17' && times === 1`},
	{"aria-datepicker", "React Aria", []Goal{{Kind: "date", Label: "Return", Value: "2031-03-17"}}, `value === '2031-03-17'`},
	{"radix-menu", "Radix", []Goal{{Kind: "menu", Values: []string{"File", "Export", "PDF"}}}, `value === 'Export PDF' && times === 1`},
	{"mui-menu", "MUI", []Goal{{Kind: "menu", Values: []string{"Dashboard", "My account"}}}, `value === 'My account' && times === 1`},
	{"bootstrap-dropdown", "Bootstrap", []Goal{{Kind: "menu", Values: []string{"More actions", "Archive"}}}, `value === 'Archive' && times === 1`},
	{"jstree", "jsTree", []Goal{{Kind: "tree", Values: []string{"Documents", "Invoices", "2030"}}}, `value === 'Documents/Invoices/2030'`},
	{"antd-tree", "Ant Design", []Goal{{Kind: "tree", Values: []string{"Company", "Engineering", "Browser"}}}, `value === 'Browser'`},
	{"mui-tree", "MUI X", []Goal{{Kind: "tree", Values: []string{"Pickers", "Pro pickers"}}}, `value === 'pickers-pro'`},
	{"mui-slider", "MUI", []Goal{{Kind: "set", Label: "Volume", Value: "70"}}, `value === 70`},
	{"radix-slider", "Radix", []Goal{{Kind: "set", Label: "Brightness", Value: "65"}}, `value === 65`},
	{"nouislider", "noUiSlider", []Goal{{Kind: "set", Label: "Highest price", Value: "600"}}, `value === '200-600'`},
	{"rc-slider", "rc-slider", []Goal{{Kind: "set", Label: "Temperature", Value: "25"}}, `value === 25`},
	{"shoelace-rating", "Shoelace", []Goal{{Kind: "set", Label: "Service", Value: "4"}}, `value === 4`},
	{"mui-rating", "MUI", []Goal{{Kind: "set", Label: "Food", Value: "4"}}, `value === 4 && times === 1`},
	{"ag-grid", "AG Grid", []Goal{{Kind: "sort", Label: "Price", Values: []string{"Part 01", "Part 02"}}, {Kind: "edit", Label: "Note", Row: "Part 12", Value: "sold"}}, `value === 'price asc' && times === 1 && edit === 'Part 12: sold'`},
	{"tabulator", "Tabulator", []Goal{{Kind: "sort", Label: "Age", Values: []string{"Oli Bob", "Mary May"}}, {Kind: "edit", Label: "Colour", Row: "Brendon Philips", Value: "purple"}}, `value === 'age asc' && edit === 'Brendon Philips: purple'`},
	{"mui-grid", "MUI X", []Goal{{Kind: "sort", Label: "Last name", Values: []string{"Clifford", "Snow"}}, {Kind: "row", Row: "Melisandre"}}, `value === 'last asc' && times === 1 && rows === '5'`},
	{"sortablejs", "SortableJS", []Goal{{Kind: "drag", Label: "Overture", To: "March"}}, `beside(value, 'Overture', 'March')`},
	{"dnd-kit", "dnd kit", []Goal{{Kind: "drag", Label: "Design", To: "Test"}}, `beside(value, 'Design', 'Test')`},
	{"hello-pangea", "hello-pangea/dnd", []Goal{{Kind: "drag", Label: "Fix login", To: "Done"}}, `value === 'Fix login in Done' && times === 1`},
	{"html5-drag", "HTML", []Goal{{Kind: "drag", Label: "Butter", To: "Drop here"}}, `value === 'Butter' && times === 1`},
	{"quill", "Quill", []Goal{{Kind: "write", Label: "Body", Value: "Dear Anna, all is well."}}, `value === 'Dear Anna, all is well.\n'`},
	{"tiptap", "Tiptap", []Goal{{Kind: "write", Label: "Article text", Value: "A new beginning."}}, `value.trim() === 'A new beginning.'`},
	{"lexical", "Lexical", []Goal{{Kind: "write", Label: "Comment", Value: "I agree with you."}}, `value === 'I agree with you.'`},
	{"codemirror", "CodeMirror", []Goal{{Kind: "write", Label: "Script", Value: "let a = 1;\nlet b = a + 1;"}}, `value === 'let a = 1;\nlet b = a + 1;'`},
	{"ace", "Ace", []Goal{{Kind: "write", Label: "Query", Value: "SELECT name FROM people;"}}, `value === 'SELECT name FROM people;'`},
	{"dropzone", "Dropzone", []Goal{{Kind: "upload", Label: "Drop files here", Value: Upload}}, `value === 'receipt.txt' && times === 1`},
	{"filepond", "FilePond", []Goal{{Kind: "upload", Label: "Browse", Value: Upload}}, `value === 'receipt.txt' && times === 1`},
	{"antd-upload", "Ant Design", []Goal{{Kind: "upload", Label: "Click to upload", Value: Upload}}, `value === 'receipt.txt' && times === 1`},
	{"hidden-upload", "HTML", []Goal{{Kind: "upload", Label: "Add a photo", Value: Upload}}, `value === 'receipt.txt' && times === 1`},
	{"react-window", "react-window", []Goal{{Kind: "find", Label: "Order 1985"}}, `value === 1985 && times === 1`},
	{"tanstack-virtual", "TanStack Virtual", []Goal{{Kind: "find", Label: "Contact 60"}}, `value === 60 && times === 1`},
	{"virtuoso", "React Virtuoso", []Goal{{Kind: "find", Label: "Archive message 870"}}, `value === 870 && times === 1`},
	{"radix-tabs", "Radix", []Goal{{Kind: "press", Values: []string{"Billing", "Payment method", "Change payment method"}}}, `value === 'Payment method' && times === 1`},
	{"radix-dialog", "Radix", []Goal{{Kind: "press", Values: []string{"Preferences"}}, {Kind: "check", Label: "Airplane mode"}, {Kind: "press", Values: []string{"Save changes"}}}, `value === 'saved true' && on === true`},
	{"sonner", "Sonner", []Goal{{Kind: "press", Values: []string{"Delete Report.pdf", "Undo"}}}, `value === 'undone' && times === 2`},
	{"input-otp", "input-otp", []Goal{{Kind: "write", Label: "Security code", Value: "493817"}}, `value === '493817' && times === 1`},
	{"react-colorful", "react-colorful", []Goal{{Kind: "set", Label: "Hex", Value: "#3366cc"}}, `value === '#3366cc'`},
	{"mui-switch", "MUI", []Goal{{Kind: "check", Label: "Notifications"}, {Kind: "check", Label: "Newsletter", Value: "false"}, {Kind: "check", Label: "Team"}}, `record.switch === true && box === false && plan === 'Team'`},
	{"closed-root", "HTML", []Goal{{Kind: "press", Values: []string{"More guests", "More guests"}}}, `value === 3 && times === 2`},
	{"material-web", "Material Web", []Goal{{Kind: "check", Label: "Gift wrap"}, {Kind: "write", Label: "Message", Value: "Happy birthday"}}, `checked === true && value === 'Happy birthday'`},
}

// Libraries is how many libraries the widgets of some tasks come from.
func Libraries(tasks []Task) int {
	names := map[string]bool{}
	for _, t := range tasks {
		names[t.Library] = true
	}
	return len(names)
}
