// placeholder
import RingfenceCore
