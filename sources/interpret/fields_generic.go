package interpret

var (
	ofGeneric     = in(cortex + "CortexStepGeneric")
	genericArgs   = ofGeneric("args")
	genericResult = ofGeneric("result")

	ofResult       = in(cortex + "GenericStepResult")
	resultText     = ofResult("result")
	resultMetadata = ofResult("metadata")
	resultRender   = ofResult("step_render_info")
	resultMedia    = ofResult("media")
	resultData     = ofResult("data")
	resultPayload  = ofResult("payload")
	resultOutput   = ofResult("full_output_uri")

	ofRender       = in(cortex + "StepRenderInfo")
	renderTitle    = ofRender("title")
	renderMarkdown = ofRender("markdown")
	renderMetadata = ofRender("metadata")
	renderPrefix   = ofRender("title_prefix")

	anyValue = in("google.protobuf.Any")("value")
)
