package interpret

var (
	ofMedia          = in(common + "Media")
	mediaMime        = ofMedia("mime_type")
	mediaDescription = ofMedia("description")
	mediaURI         = ofMedia("uri")
	mediaData        = ofMedia("inline_data")
	mediaThumbnail   = ofMedia("thumbnail")
	mediaBlob        = ofMedia("blobref")
	blobID           = in(common + "Blobref")("blob_id")

	ofImage      = in(common + "ImageData")
	imageBase64  = ofImage("base64_data")
	imageMime    = ofImage("mime_type")
	imageCaption = ofImage("caption")
	imageURI     = ofImage("uri")
)
