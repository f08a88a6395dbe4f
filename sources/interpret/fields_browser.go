package interpret

import "agy-reader/sources/profile"

// browserStep are the fields of one kind of browser step. A field a kind lacks is the zero Field and reads as absent.
type browserStep struct {
	// action is what the step does, in words.
	action string
	page   profile.Field
	meta   profile.Field
	diff   profile.Field
	denied profile.Field
	facts  []labeled
	// texts are long texts, shown verbatim; prose is text for people.
	texts, prose []labeled
	images       []profile.Field
	media        []profile.Field
	document     profile.Field
}

// labeled is a field with the name a reader sees.
type labeled struct {
	label string
	field profile.Field
	how   how
}

// how says how a field's value reads.
type how int

const (
	asText how = iota
	asNumber
	asEnum
	asTrue
	asList
)

// describe declares a browser step's common fields.
func describe(message, action string, fill func(of func(string) profile.Field, s *browserStep)) browserStep {
	of := in(cortex + message)
	s := browserStep{action: action}
	fill(of, &s)
	return s
}

var (
	ofPage       = in(common + "BrowserPageMetadata")
	pageURL      = ofPage("url")
	pageID       = ofPage("page_id")
	pageTitle    = ofPage("page_title")
	pageWidth    = ofPage("viewport_width")
	pageHeight   = ofPage("viewport_height")
	pageFavicon  = ofPage("favicon_url")
	pointX       = in(common + "Point2")("x")
	pointY       = in(common + "Point2")("y")
	consoleLines = in(common + "ConsoleLogScopeItem")("lines")
	consoleHost  = in(common + "ConsoleLogScopeItem")("server_address")

	pagesList     = in(cortex + "CortexStepListBrowserPages")("pages")
	ofConsole     = in(cortex + "CortexStepCaptureBrowserConsoleLogs")
	consolePage   = ofConsole("page_id")
	consoleMeta   = ofConsole("page_metadata")
	consoleLogs   = ofConsole("console_logs")
	dragWaypoints = in(cortex + "CortexStepBrowserDragPixelToPixel")("waypoints")
)

var browserSteps = map[string]browserStep{
	"open_browser_url": describe("CortexStepOpenBrowserUrl", "Open", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta, s.diff, s.denied = of("page_id"), of("page_metadata"), of("browser_state_diff"), of("user_rejected")
		s.facts = []labeled{{"URL", of("url"), asText}, {"Replaces page", of("page_id_to_replace"), asText}}
		s.document = of("web_document")
		s.images, s.media = []profile.Field{of("screenshot")}, []profile.Field{of("media_screenshot")}
	}),
	"execute_browser_javascript": describe("CortexStepExecuteBrowserJavaScript", "Run JavaScript", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta, s.diff, s.denied = of("page_id"), of("page_metadata"), of("browser_state_diff"), of("user_rejected")
		s.facts = []labeled{{"Title", of("title"), asText}, {"Took ms", of("execution_duration_ms"), asNumber}, {"Waits for", of("waiting_reason"), asEnum}}
		s.prose = []labeled{{"Description", of("javascript_description"), asText}}
		s.texts = []labeled{{"JavaScript", of("javascript_source"), asText}, {"Result", of("javascript_result"), asText}}
		s.images, s.media = []profile.Field{of("screenshot_end")}, []profile.Field{of("media_screenshot_end")}
	}),
	"capture_browser_screenshot": describe("CortexStepCaptureBrowserScreenshot", "Take a screenshot", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta, s.denied = of("page_id"), of("page_metadata"), of("user_rejected")
		s.facts = []labeled{
			{"Name", of("screenshot_name"), asText},
			{"Saved", of("save_screenshot"), asTrue},
			{"Element", of("element_index"), asNumber},
			{"Whole page", of("capture_beyond_viewport"), asTrue},
		}
		s.images, s.media = []profile.Field{of("screenshot")}, []profile.Field{of("media_screenshot")}
	}),
	"click_browser_pixel": describe("CortexStepClickBrowserPixel", "Click", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta, s.diff, s.denied = of("page_id"), of("page_metadata"), of("browser_state_diff"), of("user_rejected")
		s.facts = []labeled{{"x", of("x"), asNumber}, {"y", of("y"), asNumber}, {"Click", of("click_type"), asEnum}}
		s.media = []profile.Field{of("screenshot_with_click_feedback")}
	}),
	"read_browser_page": describe("CortexStepReadBrowserPage", "Read page", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta, s.document = of("page_id"), of("page_metadata"), of("web_document")
	}),
	"browser_get_dom": describe("CortexStepBrowserGetDom", "Read page structure", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta = of("page_id"), of("page_metadata")
		s.facts = []labeled{{"Saved as", of("serialized_dom_tree_uri"), asText}}
		s.texts = []labeled{{"Page structure", of("serialized_dom_tree"), asText}}
	}),
	"browser_input": describe("CortexStepBrowserInput", "Type", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta, s.diff = of("page_id"), of("page_metadata"), of("browser_state_diff")
		s.facts = []labeled{{"Text", of("text"), asText}, {"Element", of("index"), asNumber}, {"Presses Enter", of("press_enter"), asTrue}, {"Clears first", of("clear_text"), asTrue}}
	}),
	"browser_move_mouse": describe("CortexStepBrowserMoveMouse", "Move mouse", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta, s.diff = of("page_id"), of("page_metadata"), of("browser_state_diff")
		s.facts = []labeled{{"x", of("x"), asNumber}, {"y", of("y"), asNumber}}
	}),
	"browser_select_option": describe("CortexStepBrowserSelectOption", "Select", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta, s.diff = of("page_id"), of("page_metadata"), of("browser_state_diff")
		s.facts = []labeled{{"Value", of("value"), asText}, {"Element", of("index"), asNumber}}
	}),
	"browser_scroll": describe("CortexStepBrowserScroll", "Scroll", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.diff = of("page_id"), of("browser_state_diff")
		s.facts = []labeled{
			{"Direction", of("direction"), asEnum},
			{"To the end", of("scroll_to_end"), asTrue},
			{"Element", of("element_index"), asNumber},
			{"Pixels x", of("pixels_scrolled_x"), asNumber},
			{"Pixels y", of("pixels_scrolled_y"), asNumber},
		}
	}),
	"browser_scroll_up": describe("CortexStepBrowserScrollUp", "Scroll up", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.diff = of("page_id"), of("browser_state_diff")
		s.facts = []labeled{{"To the end", of("scroll_to_end"), asTrue}, {"Element", of("element_index"), asNumber}}
	}),
	"browser_scroll_down": describe("CortexStepBrowserScrollDown", "Scroll down", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.diff = of("page_id"), of("browser_state_diff")
		s.facts = []labeled{{"To the end", of("scroll_to_end"), asTrue}, {"Element", of("element_index"), asNumber}}
	}),
	"browser_click_element": describe("CortexStepBrowserClickElement", "Click", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta, s.diff, s.denied = of("page_id"), of("page_metadata"), of("browser_state_diff"), of("user_rejected")
		s.facts = []labeled{{"Target", of("description"), asText}, {"Element", of("index"), asNumber}, {"Click", of("click_type"), asEnum}}
	}),
	"browser_press_key": describe("CortexStepBrowserPressKey", "Press key", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta, s.diff = of("page_id"), of("page_metadata"), of("browser_state_diff")
		s.facts = []labeled{{"Key", of("key"), asText}, {"Text", of("text"), asText}}
	}),
	"browser_resize_window": describe("CortexStepBrowserResizeWindow", "Resize window", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta, s.diff, s.denied = of("page_id"), of("page_metadata"), of("browser_state_diff"), of("user_rejected")
		s.facts = []labeled{{"Width", of("width"), asNumber}, {"Height", of("height"), asNumber}, {"State", of("window_state"), asEnum}}
	}),
	"browser_drag_pixel_to_pixel": describe("CortexStepBrowserDragPixelToPixel", "Drag", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta, s.denied = of("page_id"), of("page_metadata"), of("user_rejected")
		s.media = []profile.Field{of("screenshots_with_drag_feedback")}
	}),
	"browser_mouse_wheel": describe("CortexStepBrowserMouseWheel", "Turn mouse wheel", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta, s.diff = of("page_id"), of("page_metadata"), of("browser_state_diff")
		s.facts = []labeled{{"x", of("x"), asNumber}, {"y", of("y"), asNumber}, {"dx", of("dx"), asNumber}, {"dy", of("dy"), asNumber}}
	}),
	"browser_mouse_up": describe("CortexStepBrowserMouseUp", "Release mouse button", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta, s.diff = of("page_id"), of("page_metadata"), of("browser_state_diff")
		s.facts = []labeled{{"Button", of("button"), asText}}
	}),
	"browser_mouse_down": describe("CortexStepBrowserMouseDown", "Press mouse button", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta, s.diff = of("page_id"), of("page_metadata"), of("browser_state_diff")
		s.facts = []labeled{{"Button", of("button"), asText}}
	}),
	"browser_refresh_page": describe("CortexStepBrowserRefreshPage", "Refresh page", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta, s.diff = of("page_id"), of("page_metadata"), of("browser_state_diff")
	}),
	"browser_list_network_requests": describe("CortexStepBrowserListNetworkRequests", "List network requests", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta = of("page_id"), of("page_metadata")
		s.facts = []labeled{{"Type", of("resource_types"), asList}, {"Kept requests too", of("include_preserved_requests"), asTrue}}
		s.texts = []labeled{{"Requests", of("network_requests"), asText}}
	}),
	"browser_get_network_request": describe("CortexStepBrowserGetNetworkRequest", "Read network request", func(of func(string) profile.Field, s *browserStep) {
		s.page, s.meta = of("page_id"), of("page_metadata")
		s.facts = []labeled{{"Request", of("request_id"), asText}}
		s.texts = []labeled{{"Details", of("network_request_details"), asText}}
	}),
}
